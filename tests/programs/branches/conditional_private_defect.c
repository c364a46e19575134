//@ verdict: defect
//@ defect: assertion 21
//@ flags: -fopenmp
//@ options: --threads 2
//@ about: a private variable is written only if another thread was faster: what an earlier iteration left shows
#include <assert.h>
static int turn;
int main(void)
{
#pragma omp parallel
    {
        int mine = 0;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 4; i++) {
            int seen;
#pragma omp critical
            seen = turn++;
            if (seen != 2)
                mine = i;
            /* with seen == 2, `mine` is what the thread's earlier iteration left */
            assert(mine == i);
        }
    }
    return 0;
}
