//@ verdict: race
//@ race: a[*] 9 9
//@ about: two loops in one line: the second does not share the mapping of the first
int a[8], b[8];
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        _Pragma("omp for schedule(static) nowait") for (int i = 0; i < 8; i++) a[i] = i; _Pragma("omp for nowait") for (int i = 0; i < 8; i++) b[i] = a[i];
    }
    return b[0];
}
