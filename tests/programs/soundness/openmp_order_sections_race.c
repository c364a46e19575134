//@ verdict: race
//@ races: at-least
//@ race: x 17 25
//@ about: sections: a thread may execute a later section before an earlier one
static int x;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int seen = 0;
#pragma omp sections
        {
#pragma omp section
            {
                if (seen & 2)
                    x++;
                seen |= 1;
            }
#pragma omp section
            seen |= 2;
#pragma omp section
            {
                if (seen & 8)
                    x++;
                seen |= 4;
            }
#pragma omp section
            seen |= 8;
        }
    }
    return x > 2;
}
