//@ verdict: unknown
//@ reason: lastprivate(conditional:)
//@ about: lastprivate(conditional:) on simd, which calls nobody
int main(void)
{
    int x = 0;
#pragma omp simd lastprivate(conditional: x)
    for (int i = 0; i < 4; i++)
        if (i == 1)
            x = i;
    return x < 0;
}
