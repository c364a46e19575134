//@ verdict: race
//@ race: b[*] 5 5
//@ about: two functions in one line, each with a simd loop of its own safelen
int a[16], b[16];
static void f(void) { _Pragma("omp simd safelen(2)") for (int i = 3; i < 16; i++) a[i] = a[i - 3] + 1; } static void g(void) { _Pragma("omp simd safelen(4)") for (int i = 3; i < 16; i++) b[i] = b[i - 3] + 1; }
int main(void)
{
    f();
    g();
}
