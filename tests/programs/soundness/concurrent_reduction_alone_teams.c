//@ verdict: unknown
//@ reason: in a team of one thread
//@ about: the same in a league of one team
int main(void) {
  int s = 0, a[8] = {0};
#pragma omp teams loop num_teams(1) reduction(+ : s)
  for (int i = 1; i < 8; i++) {
    a[i] = a[i - 1] + 1;
    s += i;
  }
  return s;
}
