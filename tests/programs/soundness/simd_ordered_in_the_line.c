//@ verdict: race-free
//@ about: `ordered simd` in the line of a simd loop with safelen is no loop
int a[16], n;
int main(void)
{
    _Pragma("omp simd safelen(2)") for (int i = 3; i < 16; i++) { a[i] = a[i - 3] + 1; _Pragma("omp ordered simd") n++; }
    return n;
}
