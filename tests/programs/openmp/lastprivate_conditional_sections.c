//@ verdict: unknown
//@ reason: lastprivate(conditional:)
//@ about: lastprivate(conditional:) on sections
int main(void)
{
    int x = 0;
#pragma omp parallel sections lastprivate(conditional: x)
    {
        x = 1;
#pragma omp section
        if (x > 5) x = 2;
    }
    return x < 0;
}
