//@ verdict: race
//@ race: slot[*] 18 18
//@ about: atomic: update and read one after the other are not a capture, so two iterations may draw one slot
#include <stdio.h>
#define N 4

int main(void)
{
    int next = 0;
    int slot[2 * N];
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int mine;
#pragma omp atomic
        next++;
#pragma omp atomic read
        mine = next;
        slot[mine] = i;
    }
    printf("%d\n", slot[1]);
    return 0;
}
