//@ verdict: race
//@ race: bin[*] 16 16
//@ about: histogram with plain bins
#include <stdio.h>
#define N 800
#define BINS 16

int main(void)
{
    unsigned char pixel[N];
    int bin[BINS] = {0};
    for (int i = 0; i < N; i++)
        pixel[i] = (unsigned char)(i * 7 + i / 3);
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        bin[pixel[i] / 16]++;
    printf("%d\n", bin[0]);
    return 0;
}
