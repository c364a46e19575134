//@ verdict: unknown
//@ reason: translates wrongly
//@ reason-line: 12
//@ about: a scan reduction of a loop that is not combined with parallel, which clang 19 translates wrongly
int a[100], b[100];

int main(void)
{
    int s = 0;
#pragma omp parallel
    {
#pragma omp for reduction(inscan, + : s)
        for (int i = 0; i < 100; i++) {
            s += a[i];
#pragma omp scan inclusive(s)
            b[i] = s;
        }
    }
    return 0;
}
