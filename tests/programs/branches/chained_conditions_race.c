//@ verdict: race
//@ race: value[*] 18 24
//@ flags: -fopenmp
//@ about: one of the nested branches touches what other iterations store without the lock
#define N 200
static int value[N], low, high, last;
int main(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
#pragma omp critical
        {
            if (last > i) {
                if (last > 2 * i)
                    high++;
                else
                    /* a neighbour's element */
                    value[(i + 1) % N] = 0;
            } else {
                low++;
            }
            last = i;
        }
        value[i] = i;
    }
    return 0;
}
