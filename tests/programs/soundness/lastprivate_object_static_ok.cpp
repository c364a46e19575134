//@ verdict: race-free
//@ about: with a static schedule nothing follows the last iteration
#include <cassert>
struct owner {
  int *p;
  owner() : p(new int(0)) {}
  owner &operator=(const owner &other) {
    *p = *other.p;
    return *this;
  }
  ~owner() { delete p; }
};
int main() {
  owner b;
#pragma omp parallel for lastprivate(b) schedule(static) num_threads(2)
  for (int i = 0; i < 4; i++) *b.p = i;
  assert(*b.p == 3);
}
