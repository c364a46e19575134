//@ verdict: race
//@ race: shown 16 18
//@ about: what an iteration leaves in a private variable is forgotten by the first thread alone
int shown, seen[4];
int main(void) {
#pragma omp parallel num_threads(4)
  {
    int found[1] = {0};
    int mine = 0;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 8; i++)
      found[0] |= i == 5;
#pragma omp masked
    found[0] = 0;
    if (found[0])
      shown = 1;
    else
      mine = shown;
#pragma omp critical
    seen[mine & 3]++;
  }
  return 0;
}
