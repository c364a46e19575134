//@ verdict: race
//@ race: found 16 16
//@ about: for: a conditional assignment to a shared variable, instead of lastprivate(conditional)
#include <stdio.h>
#define N 300

int main(void)
{
    int found = -1;
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = i % 50;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        if (a[i] == 7)
            found = i;
    }
    printf("%d\n", found);
    return 0;
}
