//@ verdict: race
//@ races: at-least
//@ race: sent 18 22
//@ may-race: letter 16 24
//@ about: P1 section 3.4: a signal in a flag; the waiting side reads it outside the critical section
#include <stdio.h>
#include <omp.h>

static int letter, sent, got;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            letter = 7;
#pragma omp critical(mail)
            sent = 1;
        } else {
            int seen = 0;
            while (!seen) {
                seen = sent;
            }
            got = letter;
        }
    }
    printf("%d\n", got);
    return 0;
}
