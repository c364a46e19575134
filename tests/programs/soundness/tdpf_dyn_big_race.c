//@ verdict: race
//@ races: at-least
//@ about: any two iterations of the loop may be in two teams
int a[4];
int main(){
#pragma omp teams distribute parallel for num_teams(2) num_threads(2) schedule(dynamic,8)
  for(int i=0;i<4;i++) a[i/2]=i;
}
