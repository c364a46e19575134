//@ verdict: unknown
//@ reason: `lastprivate` of an object
//@ about: the language gives v the value from the last iteration; the thread may execute others behind it, in the same copy
#include <cassert>
#include <vector>
int main() {
  std::vector<int> v;
#pragma omp parallel for lastprivate(v) schedule(dynamic) num_threads(2)
  for (int i = 0; i < 3; i++) v = std::vector<int>(i + 1, i);
  assert(v.size() == 3 && v[2] == 2);
}
