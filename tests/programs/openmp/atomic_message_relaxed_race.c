//@ verdict: race
//@ race: data[*] 15 25
//@ about: atomic without an order clause is relaxed: it passes the flag, not the data
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int data[100], ready = 0;
    long sum = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < 100; i++)
                data[i] = i;
#pragma omp atomic write
            ready = 1;
        } else {
            int r = 0;
            while (!r) {
#pragma omp atomic read
                r = ready;
            }
            for (int i = 0; i < 100; i++)
                sum += data[i];
        }
    }
    printf("%ld\n", sum);
    return 0;
}
