/* Integer arithmetic in registers: a linear congruential generator and bit mixing. */
#ifndef N
#define N 6000000
#endif

int main(void) {
  unsigned x = 12345, sum = 0;
  for (int i = 0; i < N; i++) {
    x = x * 1664525u + 1013904223u;
    sum += (x >> 16) ^ (sum << 3);
  }
  return sum == 7;
}
