//@ verdict: race
//@ races: at-least
//@ about: any two iterations of the loop may be in two teams
#include <omp.h>
int a[8];
int main(){
#pragma omp teams distribute parallel for num_teams(2) num_threads(1)
  for(int i=0;i<4;i++) { a[omp_get_team_num()+i/2]=i; }
}
