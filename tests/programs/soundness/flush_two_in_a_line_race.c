//@ verdict: race
//@ race: data 10 18
//@ about: an acquire flush and a release flush in one line: the first does not release
#include <omp.h>
int data, flag, other;
int main(void)
{
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        data = 1;
        _Pragma("omp flush acquire") _Pragma("omp atomic write relaxed") flag = 1; _Pragma("omp flush release") _Pragma("omp atomic write relaxed") other = 1;
    } else {
        int seen;
#pragma omp atomic read relaxed
        seen = flag;
#pragma omp flush acquire
        if (seen)
            data = 2;
    }
}
