//@ verdict: race-free
//@ flags: -fopenmp
//@ about: nested branches on values that the order decides, all under the lock
#define N 200
static int value[N], low, middle, high, last;
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
                    middle++;
            } else {
                low++;
            }
            last = i;
        }
        value[i] = i;
    }
    return 0;
}
