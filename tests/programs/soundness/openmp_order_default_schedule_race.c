//@ verdict: race
//@ race: x 15 15
//@ about: no schedule clause: chunks may come in any order
static int x;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int before = -1;
#pragma omp for
        for (int i = 0; i < 4; i++) {
            // Two threads count only if each executes its two iterations backwards.
            if (before == i + 1)
                x++;
            before = i;
        }
    }
    return x > 2;
}
