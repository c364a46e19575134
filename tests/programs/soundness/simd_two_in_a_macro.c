//@ verdict: race-free
//@ about: two simd loops of one macro: the second has a safelen
int a[16], b[16];
#define BOTH _Pragma("omp simd") for (int i = 3; i < 16; i++) b[i] = i; _Pragma("omp simd safelen(2)") for (int i = 3; i < 16; i++) a[i] = a[i - 3] + 1;
int main(void)
{
    BOTH
}
