//@ verdict: race-free
//@ about: a lock that a team initialises for its own threads
#include <omp.h>
#include <assert.h>
int n[2];
int main(void)
{
#pragma omp teams num_teams(2)
 {
   int t = omp_get_team_num(); omp_lock_t l;
#pragma omp parallel num_threads(2)
   {
#pragma omp single
  omp_init_lock(&l);
  omp_set_lock(&l); n[t]++; omp_unset_lock(&l); 
#pragma omp barrier
#pragma omp single
  omp_destroy_lock(&l);
 }
 }
 assert(n[0]==2 && n[1]==2);
}
