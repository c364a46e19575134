//@ verdict: race
//@ race: m|*p 9 9
//@ about: lanes add to a local variable through a pointer
int main(void)
{
    int m = 0, *p = &m;
#pragma omp simd
    for (int i = 0; i < 8; i++)
        *p += i;
    return m;
}
