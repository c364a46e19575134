//@ verdict: race
//@ race: a[3] 15 15
//@ about: iterations of one task hand on through their copy which element they write
int a[4];

int main(void)
{
    int at = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop firstprivate(at) num_tasks(2)
    for (int i = 0; i < 4; i++) {
        if (at == 1 && i == 1)
            at = 3;
        a[at == 3 ? 3 : i] = i;
        if (i == 0)
            at = 1;
    }
}
