//@ verdict: race
//@ race: done 14 15
//@ about: atomic: the update is atomic, the read in the same loop is not
#include <stdio.h>
#define N 200

int main(void)
{
    int done = 0;
    int mark[N];
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
#pragma omp atomic
        done += 1;
        mark[i] = done;
    }
    printf("%d %d\n", done, mark[0]);
    return 0;
}
