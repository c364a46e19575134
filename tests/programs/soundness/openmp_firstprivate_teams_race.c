//@ verdict: race
//@ race: x 8 9
//@ about: the same for the teams of a league
#include <omp.h>
int main(void) {
  int x = 1;
  int *p = &x;
#pragma omp teams num_teams(2) firstprivate(x)
  if (omp_get_team_num() == 0) *p = x + 1;
  return 0;
}
