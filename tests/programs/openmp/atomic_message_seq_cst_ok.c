//@ verdict: race-free
//@ about: atomic seq_cst passes a message there and back
#include <assert.h>
#include <omp.h>

int main(void)
{
    int ball = 0, turn = 0;
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        for (int k = 0; k < 3; k++) {
            int t;
            do {
#pragma omp atomic read seq_cst
                t = turn;
            } while (t != me);
            ball++;
#pragma omp atomic write seq_cst
            turn = 1 - me;
        }
    }
    assert(ball == 6);
    return 0;
}
