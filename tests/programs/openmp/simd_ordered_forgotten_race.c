//@ verdict: race
//@ race: bin[*] 14 14
//@ about: simd: a histogram in the lanes without ordered simd
#include <stdio.h>
#define N 128

int main(void)
{
    int x[N], bin[10] = {0};
#pragma omp simd
    for (int i = 0; i < N; i++) {
        x[i] = i * 7 % 10;
        bin[x[i]]++;
    }
    printf("%d\n", bin[0]);
    return 0;
}
