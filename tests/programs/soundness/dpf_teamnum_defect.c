//@ verdict: defect
//@ defect: assertion 10
//@ about: which team executes a chunk of `distribute parallel for` is open
#include <omp.h>
#include <assert.h>
int main(){
#pragma omp teams num_teams(2) thread_limit(2)
 {
#pragma omp distribute parallel for
 for(int i=0;i<2;i++) assert(omp_get_team_num()==i);
 }
}
