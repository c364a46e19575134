//@ verdict: unknown
//@ reason: a device may execute it
//@ about: a deferred target task may run beside the host's read; no taskwait before.
int main(void) {
  int x = 0;
#pragma omp target nowait map(tofrom: x)
  x = 1;
  volatile int r = x;
  (void)r;
#pragma omp taskwait
  return 0;
}
