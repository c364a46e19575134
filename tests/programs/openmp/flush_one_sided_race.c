//@ verdict: race
//@ race: data[*] 14 25
//@ about: flush on the sending side only: the receiver's relaxed read does not acquire
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int data[100], flag = 0, bad = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < 100; i++)
                data[i] = 2 * i;
#pragma omp flush
#pragma omp atomic write
            flag = 1;
        } else {
            int f = 0;
            while (!f) {
#pragma omp atomic read
                f = flag;
            }
            for (int i = 0; i < 100; i++)
                bad += data[i] != 2 * i;
        }
    }
    printf("%d\n", bad);
    return 0;
}
