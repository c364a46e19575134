//@ verdict: race
//@ races: at-least
//@ about: which team executes a chunk of `distribute parallel for` is open
#include <omp.h>
int slot[2];
int main(){
#pragma omp teams num_teams(2) thread_limit(1)
 {
 int team=omp_get_team_num();
#pragma omp distribute parallel for num_threads(1)
 for(int i=0;i<2;i++) slot[i]++;
 slot[team]++;
 }
}
