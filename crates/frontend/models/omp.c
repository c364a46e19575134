/* omp.c: the parts of the OpenMP runtime that are easiest to say in C. The rest is in the machine (machine/src/omp). */
#include "rp.h"

#include <stdlib.h>
#include <string.h>

void __kmpc_barrier(void *loc, int32_t gtid);
void __rp_omp_put(void *data); /* for the team: what the `single` passes on */
void *__rp_omp_get(void);

/* The thread that executed the `single` passes on its variables; the others copy them. */
MODEL void __kmpc_copyprivate(void *loc, int32_t gtid, UNUSED size_t size, void *data, void (*copy)(void *, void *),
                              int32_t did_it) {
  if (did_it)
    __rp_omp_put(data);
  __kmpc_barrier(loc, gtid);
  if (!did_it)
    copy(data, __rp_omp_get());
  __kmpc_barrier(loc, gtid);
}

MODEL double omp_get_wtime(void) {
  double now;
  __rp_havoc(&now, sizeof now);
  return now;
}

MODEL double omp_get_wtick(void) { return 1e-9; }
