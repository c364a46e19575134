//@ verdict: race-free
//@ about: P1 section 3.4: a signal in a flag that both sides touch in a critical section
#include <assert.h>
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
#pragma omp critical(mail)
                seen = sent;
            }
            got = letter;
        }
    }
    assert(got == 7);
    return 0;
}
