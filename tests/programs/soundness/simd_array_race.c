//@ verdict: race
//@ race: t[*] 9 9
//@ about: lanes of even iterations share one element of a local array, those of odd ones another
int main(void)
{
    int t[2] = {0, 0};
#pragma omp simd
    for (int i = 0; i < 8; i++)
        t[i % 2] += i;
    return t[0] + t[1];
}
