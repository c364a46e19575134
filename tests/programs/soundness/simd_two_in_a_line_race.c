//@ verdict: race
//@ race: a[*] 7 7
//@ about: two simd loops in one line, of which only the second lets dependent lanes run at once
int a[16];
int main(void)
{
    _Pragma("omp simd safelen(2)") for (int i = 3; i < 16; i++) a[i] = a[i - 3] + 1; _Pragma("omp simd safelen(8)") for (int i = 3; i < 16; i++) a[i] = a[i - 3] + 1;
}
