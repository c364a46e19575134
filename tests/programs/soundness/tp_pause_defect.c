//@ verdict: race-free
//@ defects-verdict: unknown
//@ about: threadprivate variables do not persist between these regions
#include <assert.h>
#include <omp.h>
int tp;
#pragma omp threadprivate(tp)
int main(){
#pragma omp parallel num_threads(2)
 tp=7;
 omp_pause_resource_all(omp_pause_hard);
#pragma omp parallel num_threads(2)
 assert(tp==7);
}
