//@ verdict: race
//@ race: x 13 13
//@ about: a guided loop, whose pieces end anywhere
int x;
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        char seen[2] = {0, 0}, *p = seen + 1;
#pragma omp for schedule(guided)
        for (int i = 0; i < 6; i++) {
            if (*p)
                x = i;
            *p = 1;
        }
    }
}
