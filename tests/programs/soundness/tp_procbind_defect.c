//@ verdict: race-free
//@ defects-verdict: unknown
//@ about: threadprivate variables do not persist between these regions
#include <assert.h>
int tp;
#pragma omp threadprivate(tp)
int main(){
#pragma omp parallel num_threads(2) proc_bind(close)
 tp=7;
#pragma omp parallel num_threads(2) proc_bind(spread)
 assert(tp==7);
}
