//@ verdict: race-free
//@ about: a struct passed by value counts the iterations of the thread that the function runs on
#include <assert.h>
struct counter { long pad[4]; int n; };
int total;
static void work(struct counter c)
{
    struct counter *p = &c;
#pragma omp for
    for (int i = 0; i < 4; i++)
        p->n += 1;
#pragma omp atomic
    total += c.n;
}
int main(void)
{
    struct counter zero = {{0, 0, 0, 0}, 0};
#pragma omp parallel num_threads(2)
    work(zero);
    assert(total == 4);
}
