//@ verdict: race-free
//@ about: for lastprivate(conditional): the last iteration that assigned
#include <assert.h>
#define N 300

int main(void)
{
    int found = -1;
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = i % 50;
#pragma omp parallel for lastprivate(conditional : found)
    for (int i = 0; i < N; i++) {
        if (a[i] == 49)
            found = i;
    }
    assert(found == 299);
    return 0;
}
