//@ verdict: race-free
//@ about: a struct for each thread, set to zero around the loop, combined behind the region
#include <assert.h>
#include <omp.h>
#define N 300

static struct part {
    int count;
    long sum;
} part[64];

int main(void)
{
#pragma omp parallel num_threads(4)
    {
        struct part *mine = &part[omp_get_thread_num()];
        mine->count = 0;
        mine->sum = 0;
#pragma omp for schedule(guided)
        for (int i = 0; i < N; i++) {
            mine->count++;
            mine->sum += i;
        }
    }
    struct part all = {0, 0};
    for (int t = 0; t < 4; t++) {
        all.count += part[t].count;
        all.sum += part[t].sum;
    }
    assert(all.count == N && all.sum == 44850);
    return 0;
}
