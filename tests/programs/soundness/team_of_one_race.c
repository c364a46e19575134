//@ verdict: race
//@ races: at-least
//@ about: iterations of one chunk are on two threads of a team
int x;
int main(){
#pragma omp teams num_teams(1)
#pragma omp distribute parallel for num_threads(2)
for(int i=0;i<4;i++) x=i;
}
