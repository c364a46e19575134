//@ verdict: race-free
//@ defects-verdict: unknown
//@ about: threadprivate variables do not persist between these regions
#include <assert.h>
int tp;
#pragma omp threadprivate(tp)
int main(){
#pragma omp parallel num_threads(2)
 tp=7;
#pragma omp teams num_teams(2)
 {}
#pragma omp parallel num_threads(2)
 assert(tp==7);
}
