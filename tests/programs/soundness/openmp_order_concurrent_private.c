//@ verdict: unknown
//@ reason: may run at the same time
//@ about: order(concurrent): iterations of one thread may run concurrently, so its local of the region, shared by them, races.
int out;
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int mine = 0;
#pragma omp for order(concurrent)
    for (int i = 0; i < 4; i++) mine += i;
#pragma omp critical
    out += mine;
  }
  return 0;
}
