//@ verdict: race
//@ race: own|*box[i] 14 14
//@ about: each piece leaves a pointer to a variable of its thread; two pieces of one thread leave the same
int *box[4];
int main(void) {
#pragma omp parallel num_threads(3)
  {
    int own = 0;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++)
      box[i] = &own;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++)
      ++*box[i];
  }
  return 0;
}
