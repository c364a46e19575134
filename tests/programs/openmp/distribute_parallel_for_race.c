//@ verdict: race
//@ race: sum 12 12
//@ about: teams distribute parallel for: a sum over all threads of all teams
#include <stdio.h>
#define N 300

int main(void)
{
    int sum = 0;
#pragma omp teams distribute parallel for num_teams(2) thread_limit(2) num_threads(2)
    for (int i = 0; i < N; i++)
        sum += i;
    printf("%d\n", sum);
    return 0;
}
