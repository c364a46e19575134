//@ verdict: race
//@ race: line[*]|line 13 13
//@ about: for: memcpy of blocks that overlap by one element
#include <stdio.h>
#include <string.h>
#define N 100

int main(void)
{
    int line[N * 4 + 1] = {0}, src[5] = {1, 2, 3, 4, 5};
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        memcpy(&line[i * 4], src, sizeof src);
    printf("%d\n", line[0]);
    return 0;
}
