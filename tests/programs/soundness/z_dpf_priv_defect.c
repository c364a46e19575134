//@ verdict: defect
//@ defect: assertion 11
//@ about: which team executes a chunk of `distribute parallel for` is open
#include <assert.h>
// value left in a team's variable by its chunk
int main(){
#pragma omp teams num_teams(2) thread_limit(1)
 { int t=-1;
#pragma omp distribute parallel for num_threads(1)
 for(int i=0;i<2;i++) t=i;
 assert(t!=-1);
 }
}
