//@ verdict: race-free
//@ threads: as-run
//@ about: a combiner that notices when the count is large enough
#include <assert.h>
struct s { int count, flag; };
static void add(struct s *o, struct s *i) { o->count += i->count; o->flag = o->count >= 6; }
#pragma omp declare reduction(plus : struct s : add(&omp_out, &omp_in)) initializer(omp_priv = {0, 0})
int main(void) {
  struct s v = {0, 0};
#pragma omp parallel reduction(plus : v)
  v.count += 1;
  assert(v.flag == 0);
  return 0;
}
