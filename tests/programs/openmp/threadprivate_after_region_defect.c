//@ verdict: defect
//@ defect: assertion 14
//@ options: --threads 2
//@ about: what the initial thread finds in its threadprivate variable behind a loop depends on the distribution
#include <assert.h>

static int mine;
#pragma omp threadprivate(mine)

int main(void)
{
#pragma omp parallel for
    for (int i = 0; i < 4; i++) mine += 1;
    assert(mine == 2);
    return 0;
}
