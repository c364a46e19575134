//@ verdict: race
//@ race: x 12 17
//@ about: an ordered region waits for earlier ordered regions, not for iterations that have none
int x, y;

int main(void)
{
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < 20; i++) {
        if (i % 2 == 0) {
            if (i == 4)
                x = 1; /* iteration 4 has no ordered region */
        } else {
#pragma omp ordered
            {
                if (i == 5)
                    y = x;
            }
        }
    }
    return 0;
}
