//@ verdict: race-free
//@ about: printf in every iteration, in the whole team and in a task: output does not steer, and the thread number may be printed
#include <omp.h>
#include <stdio.h>

int main(void)
{
    double x[100];
    int sum = 0;
#pragma omp parallel
    printf("hello from %d of %d\n", omp_get_thread_num(), omp_get_num_threads());
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++) {
        x[i] = i * 0.5;
        if (i % 25 == 0)
            printf("iteration %3d on thread %d: %8.3f %s\n", i, omp_get_thread_num(), x[i], i ? "later" : "first");
        sum += i;
    }
#pragma omp parallel
#pragma omp single
    {
        printf("%g %d\n", x[3], sum);
        for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
            fprintf(stderr, "task %d by thread %d\n", i, omp_get_thread_num());
        }
    }
    return 0;
}
