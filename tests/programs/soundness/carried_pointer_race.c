//@ verdict: race
//@ race: x 13 13
//@ about: an iteration writes only if its thread has executed another one before, known through a pointer
int x;
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int mine = 0, *p = &mine;
#pragma omp for
        for (int i = 0; i < 4; i++) {
            if (*p == 1)
                x = i;
            *p = 1;
        }
    }
}
