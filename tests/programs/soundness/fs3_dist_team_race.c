//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: lanes of one thread meet on memory that belongs to the thread
#include <omp.h>
int a[9],slot[2];
int main(){
#pragma omp teams num_teams(2)
 { int *me=&slot[omp_get_team_num()];
#pragma omp distribute simd
 for(int i=0;i<4;i++){ *me=i; a[i]=i; }
 }
}
