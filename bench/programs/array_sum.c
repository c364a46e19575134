/* Loads and stores of a global array: running sums, again and again. */
#ifndef N
#define N 1000
#endif
#define LENGTH 4096

static int a[LENGTH];

int main(void) {
  long sum = 0;
  for (int i = 0; i < LENGTH; i++)
    a[i] = i;
  for (int round = 0; round < N; round++)
    for (int i = 1; i < LENGTH; i++) {
      a[i] = a[i] + a[i - 1];
      sum += a[i];
    }
  return sum == 7;
}
