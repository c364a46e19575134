//@ verdict: unknown
//@ reason: lastprivate(conditional:)
//@ about: lastprivate(conditional:) on for simd
int main(void)
{
    int x = 0;
#pragma omp parallel for simd lastprivate(conditional: x)
    for (int i = 0; i < 4; i++)
        if (i == 1)
            x = i;
    return x < 0;
}
