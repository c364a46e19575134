//@ verdict: race
//@ race: x 14 14
//@ about: two singles without barrier: the thread that has not executed the first one writes, too
int x;
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int mine = 0, *p = &mine;
        for (int r = 0; r < 2; r++) {
#pragma omp single nowait
            {
                if (*p == 0)
                    x++;
                *p = 1;
            }
        }
    }
}
