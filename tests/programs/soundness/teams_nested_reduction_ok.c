//@ verdict: race-free
//@ about: a reduction over the threads of teams, combined once per team and once over all teams
#include <assert.h>
int main(void) {
    int a[8] = {0}, t = 0;
#pragma omp teams distribute parallel for num_teams(2) reduction(+ : t)
    for (int i = 0; i < 8; i++) {
        a[i] = i;
        t += i;
    }
    assert(t == 28);
    return 0;
}
