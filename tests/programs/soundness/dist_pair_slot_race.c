//@ verdict: race
//@ undecided: the answer is right or unknown
//@ races: at-least
//@ about: two iterations of one team use its memory, whichever they are
#include <omp.h>
int s[8][4];
int main(){
#pragma omp teams num_teams(2)
  { int me=omp_get_team_num();
#pragma omp distribute simd
    for(int i=0;i<2;i++) s[me][0]=i; }
}
