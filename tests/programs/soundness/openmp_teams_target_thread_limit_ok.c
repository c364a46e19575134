//@ verdict: race-free
//@ about: thread_limit on target holds for the target region alone
#include <assert.h>
#include <omp.h>
int main(void)
{
    int n = 0;
#pragma omp target thread_limit(1) map(tofrom: n)
#pragma omp parallel num_threads(2)
    n++;
    assert(n==1);
#pragma omp parallel num_threads(2)
#pragma omp atomic
    n++;
    assert(n==3);
}
