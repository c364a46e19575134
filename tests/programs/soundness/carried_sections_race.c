//@ verdict: race
//@ race: x 15 21
//@ about: sections of one thread: the second one to run finds what the first has left; on two threads both write
int x;
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int mine = 0, *p = &mine;
#pragma omp sections
        {
#pragma omp section
            {
                if (*p == 0)
                    x = 1;
                *p = 1;
            }
#pragma omp section
            {
                if (*p == 0)
                    x = 2;
                *p = 1;
            }
        }
    }
}
