//@ verdict: race-free
//@ about: the language gives b the value from the last iteration; its bytes stay as they are, and what it points to is written in every iteration
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
#pragma omp parallel for lastprivate(b) schedule(dynamic) num_threads(2)
  for (int i = 0; i < 3; i++) *b.p = i;
  assert(*b.p == 2);
}
