//@ verdict: race
//@ races: at-least
//@ race: flag 17 21
//@ may-race: data 15 25
//@ about: flush around a plain flag: the flag itself races
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int data = 0, flag = 0, got = 0;
#pragma omp parallel num_threads(2) shared(data, flag, got)
    {
        if (omp_get_thread_num() == 0) {
            data = 42;
#pragma omp flush(flag, data)
            flag = 1;
#pragma omp flush(flag)
        } else {
            int tries = 0;
            while (!flag && tries < 1000) {
#pragma omp flush(flag)
                tries++;
            }
            got = data;
        }
    }
    printf("%d\n", got);
    return 0;
}
