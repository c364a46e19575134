//@ verdict: race
//@ race: a[*] 10 10
//@ race: b[*] 10 10
//@ about: two simd loops of one macro, in a function that is there twice
#define BOTH(a) _Pragma("omp simd safelen(3)") for (int i = 3; i < 16; i++) a[i] = a[i - 3] + 1; _Pragma("omp simd safelen(4)") for (int i = 3; i < 16; i++) a[i] = a[i - 3] + 1;
int a[16];
long b[16];
template <class T> static void run(T *p)
{
    BOTH(p)
}
int main()
{
    run(a);
    run(b);
}
