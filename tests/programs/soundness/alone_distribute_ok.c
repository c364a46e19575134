//@ verdict: race-free
//@ about: what one piece alone touches in a team of one thread is not open
#include <assert.h>
int main(void)
{
    int v[30] = {0};
#pragma omp teams distribute parallel for num_teams(1)
    for (int i = 0; i < 30; i++)
        v[i] += i;
    for (int i = 0; i < 30; i++)
        assert(v[i] == i);
    return 0;
}
