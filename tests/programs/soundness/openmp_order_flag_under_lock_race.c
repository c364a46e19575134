//@ verdict: race
//@ race: x 21 23
//@ about: dynamic on two threads: a race that needs iteration 2 before iteration 1 on one thread
static int x, flag;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 3; i++) {
            int seen = 0;
            if (i == 2)
#pragma omp critical
                flag = 1;
            if (i == 1)
#pragma omp critical
                seen = flag;
            // Iterations 2 and 1 in this order on one thread, while the other executes iteration 0.
            if (i == 1 && seen)
                x = 1;
            if (i == 0)
                x = 2;
        }
    }
    return x;
}
