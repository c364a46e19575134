//@ verdict: race
//@ race: x 14 14
//@ about: a nest of collapsed loops, and a pointer to the pointer
int x;
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int mine = 0, *p = &mine, **pp = &p;
#pragma omp for collapse(2)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) {
                if (**pp)
                    x = i + j;
                **pp = 1;
            }
    }
}
