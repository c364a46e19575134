//@ verdict: unknown
//@ reason: lastprivate(conditional:)
//@ about: lastprivate(conditional:) on a loop that also has plain lastprivate
int main(void)
{
    int x = 0;
    int y;
#pragma omp parallel for lastprivate(y) lastprivate(conditional: x)
    for (int i = 0; i < 4; i++) {
        y = i;
        if (i == 1)
            x = y;
    }
    return x < 0;
}
