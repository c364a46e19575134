//@ verdict: defect
//@ defect: assertion 8
//@ about: any two iterations of the loop may be in two teams
#include <omp.h>
#include <assert.h>
int main(){
#pragma omp teams distribute parallel for num_teams(2) num_threads(2)
  for(int i=0;i<4;i++) assert(omp_get_num_teams()==1 || omp_get_team_num()==i/2);
}
