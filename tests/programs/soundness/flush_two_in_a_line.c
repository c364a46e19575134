//@ verdict: race-free
//@ about: a release flush and an acquire flush in one line, each where it is needed
#include <omp.h>
int data, flag, other;
int main(void)
{
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        int seen;
        data = 1;
        _Pragma("omp flush release") _Pragma("omp atomic write relaxed") flag = 1; _Pragma("omp atomic read relaxed") seen = other; _Pragma("omp flush acquire")
        (void)seen;
    } else {
        int seen;
#pragma omp atomic read relaxed
        seen = flag;
#pragma omp flush acquire
        if (seen)
            data = 2;
    }
}
