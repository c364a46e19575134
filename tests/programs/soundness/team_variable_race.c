//@ verdict: race
//@ races: at-least
//@ about: iterations of one chunk use a variable of their team
int x;
int main(){
#pragma omp teams num_teams(2)
{ int t=0;
#pragma omp distribute parallel for num_threads(2)
for(int i=0;i<8;i++) t=i;
}
}
