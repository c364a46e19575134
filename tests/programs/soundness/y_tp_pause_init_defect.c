//@ verdict: race-free
//@ defects-verdict: unknown
//@ about: threadprivate variables do not persist between these regions
#include <assert.h>
#include <omp.h>
int tp=3;
#pragma omp threadprivate(tp)
int main(){
#pragma omp parallel num_threads(2)
 tp=7;
 omp_pause_resource(omp_pause_hard,omp_get_initial_device());
#pragma omp parallel num_threads(2)
 assert(tp==7);
}
