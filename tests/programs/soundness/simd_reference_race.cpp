//@ verdict: race
//@ race: m|r 10 10
//@ about: lanes add to a local variable through a reference
int main()
{
    int m = 0;
    int &r = m;
#pragma omp simd
    for (int i = 0; i < 8; i++)
        r += i;
    return m;
}
