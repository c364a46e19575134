//@ verdict: unknown
//@ reason: lastprivate(conditional:)
//@ about: lastprivate(conditional:) on a loop whose directive is a _Pragma in a macro
int main(void)
{
    int x = 0;
#define LOOP _Pragma("omp parallel for lastprivate(conditional: x)")
    LOOP
    for (int i = 0; i < 4; i++)
        if (i == 1)
            x = i;
    return x < 0;
}
