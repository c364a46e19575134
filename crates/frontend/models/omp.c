/* omp.c: the parts of the OpenMP runtime that are easiest to say in C. The rest is in the machine (machine/src/omp). */
#include "rp.h"

#include <stdlib.h>
#include <string.h>

void __kmpc_barrier(void *loc, int32_t gtid);
void __rp_omp_put(void *data); /* for the team: what the `single` passes on */
void *__rp_omp_get(void);
void __rp_omp_point(void); /* a task scheduling point */

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

/* ---- tasks: loops and reductions ---- */

int32_t __kmpc_omp_task(void *loc, int32_t gtid, void *task);
void __kmpc_omp_task_begin_if0(void *loc, int32_t gtid, void *task);
void __kmpc_omp_task_complete_if0(void *loc, int32_t gtid, void *task);
void __kmpc_taskgroup(void *loc, int32_t gtid);
void *__rp_omp_task_copy(void *task);   /* a copy of a task that was not submitted */
void __rp_omp_task_discard(void *task); /* it will not be submitted */
void __rp_omp_group_wait(void);         /* for all tasks of the innermost group */
void __rp_omp_group_end(void);
void *__rp_omp_group_own(void);         /* the data of the innermost group, or null */
void *__rp_omp_group_get(void);         /* the data of the innermost group that has some, or null */
void __rp_omp_group_put(void *data);
unsigned __rp_omp_number(void);         /* of the thread in its team */
/* Where every task has its own copies of what its group reduces (only a proof's runs): */
int __rp_omp_task_copies(void);
void *__rp_omp_copy(void *reductions, uint64_t item); /* the current task's, or null */
void __rp_omp_copy_put(void *reductions, uint64_t item, void *copy);
int __rp_omp_copy_holds(void *reductions, uint64_t item, void *data, size_t size); /* whether data is in some copy */
void *__rp_omp_copy_take(void *reductions, uint64_t item); /* one after the other, at last null */
/* There, too: the variables of reduction(task, ...), of the executing implicit task. */
void __rp_omp_modifier_begin(int32_t count, void *data, void *combine);
int __rp_omp_modifier_find(void *data, void *item); /* that of which data is a copy, for an explicit task */
void __rp_omp_modifier_end(void);
void __rp_omp_reduce(void);             /* into the lock of the region's reductions */
void __rp_omp_end_reduce(void);
unsigned __rp_omp_size(void);           /* of the team */

/* What clang fills: kmp_task_t. */
struct task {
  void *shareds;
  int32_t (*routine)(int32_t, void *);
};

/* A taskloop that can be split in several ways; whether each iteration is to be a task. */
int __rp_omp_finest(void *task);
/* How many iterations the next task gets; see omp/split.rs of the machine. */
uint64_t __rp_omp_split(void *task, uint64_t least, uint64_t most, uint64_t step, int clause);

/* STRICT is what the front end adds: see its omp/taskloop.rs. */
enum { GRAINSIZE = 1, NUM_TASKS = 2, STRICT = 256 };

/* From how many iterations to how many the next task can get: `left` of them are left, for `tasks` tasks. */
static void chunk(int32_t sched, int32_t strict, uint64_t grain, uint64_t left, uint64_t tasks, uint64_t *least,
                  uint64_t *most) {
  *least = 1;
  *most = left;
  if (sched == GRAINSIZE && strict)
    *least = *most = grain < left ? grain : left;
  else if (sched == GRAINSIZE && left / 2 < grain)
    *least = left; /* too few for two */
  else if (sched == GRAINSIZE) {
    *least = grain;
    *most = 2 * grain - 1 < left - grain ? 2 * grain - 1 : left - grain;
  } else if (sched == NUM_TASKS && strict)
    *least = *most = (left + tasks - 1) / tasks;
  else if (sched == NUM_TASKS && tasks == 1)
    *least = left;
  else if (sched == NUM_TASKS)
    *most = left - (tasks - 1);
}

/* Which numbers of iterations a task can have is in OpenMP 5.2, 12.6.1 and 12.6.2. */
static void taskloop(void *loc, int32_t gtid, struct task *task, int32_t deferred, uint64_t *lower, uint64_t *upper,
                     int64_t step, int32_t sched, uint64_t grain, int32_t strict,
                     void (*dup)(void *, void *, int32_t)) {
  uint64_t lb = *lower, ub = *upper;
  uint64_t trips = step == 1  ? ub - lb + 1
                   : step < 0 ? (lb - ub) / (uint64_t)-step + 1
                              : (ub - lb) / (uint64_t)step + 1;
  if (trips == 0 || (step > 0 && (int64_t)ub < (int64_t)lb) || (step < 0 && (int64_t)lb < (int64_t)ub)) {
    __rp_omp_task_discard(task);
    return;
  }
  strict |= sched & STRICT;
  sched &= ~STRICT;
  if (grain == 0)
    sched = 0;
  uint64_t tasks = sched == NUM_TASKS && grain < trips ? grain : trips;
  uint64_t least, most, at = 0;
  chunk(sched, strict, grain, trips, tasks, &least, &most);
  int finest = least < most && __rp_omp_finest(task);
  for (uint64_t i = 0; at < trips; i++) {
    chunk(finest ? 0 : sched, strict, grain, trips - at, tasks - i, &least, &most);
    uint64_t enough = i > 0 || sched == 0 ? 0 : sched == GRAINSIZE ? 1 : tasks - 1;
    uint64_t count = least;
    if (least < most && !finest)
      count = __rp_omp_split(task, least, most, enough, sched != 0);
    struct task *next = __rp_omp_task_copy(task);
    *(uint64_t *)((char *)next + ((char *)lower - (char *)task)) = lb + at * (uint64_t)step;
    *(uint64_t *)((char *)next + ((char *)upper - (char *)task)) = lb + (at + count - 1) * (uint64_t)step;
    at += count;
    if (dup)
      dup(next, task, at == trips);
    if (deferred) {
      __kmpc_omp_task(loc, gtid, next);
    } else {
      __kmpc_omp_task_begin_if0(loc, gtid, next);
      next->routine(gtid, next);
      __kmpc_omp_task_complete_if0(loc, gtid, next);
    }
  }
  __rp_omp_task_discard(task);
}

MODEL void __kmpc_end_taskgroup(void *loc, int32_t gtid);

MODEL void __kmpc_taskloop(void *loc, int32_t gtid, void *task, int32_t deferred, uint64_t *lower, uint64_t *upper,
                           int64_t step, int32_t nogroup, int32_t sched, uint64_t grain, void *dup) {
  if (!nogroup)
    __kmpc_taskgroup(loc, gtid);
  taskloop(loc, gtid, task, deferred, lower, upper, step, sched, grain, 0, (void (*)(void *, void *, int32_t))dup);
  if (!nogroup)
    __kmpc_end_taskgroup(loc, gtid);
}

MODEL void __kmpc_taskloop_5(void *loc, int32_t gtid, void *task, int32_t deferred, uint64_t *lower, uint64_t *upper,
                             int64_t step, int32_t nogroup, int32_t sched, uint64_t grain, int32_t modifier,
                             void *dup) {
  if (!nogroup)
    __kmpc_taskgroup(loc, gtid);
  taskloop(loc, gtid, task, deferred, lower, upper, step, sched, grain, modifier,
           (void (*)(void *, void *, int32_t))dup);
  if (!nogroup)
    __kmpc_end_taskgroup(loc, gtid);
}

/* kmp_taskred_input_t */
struct item {
  void *shared;
  void *orig;
  size_t size;
  void (*init)(void *, void *);
  void (*fini)(void *);
  void (*comb)(void *, void *);
  unsigned flags;
};

/* The reductions of a task group: for each item, each thread's copy, made when it is first asked for. */
struct reductions {
  int32_t count;
  unsigned threads;
  struct reductions *outer;
  struct item *items;
  void **copies;
};

MODEL void *__kmpc_taskred_init(UNUSED int32_t gtid, int32_t count, void *data) {
  struct reductions *r = __rp_alloc(sizeof *r, 16, 0, RP_MALLOC);
  r->count = count;
  r->threads = __rp_omp_size();
  r->items = __rp_alloc(count * sizeof *r->items, 16, 0, RP_MALLOC);
  memcpy(r->items, data, count * sizeof *r->items);
  r->copies = calloc(count * r->threads, sizeof *r->copies);
  r->outer = __rp_omp_group_get();
  __rp_omp_group_put(r);
  return r;
}

static void *task_copy(void *reduction, uint64_t number, struct item *item) {
  void *copy = __rp_omp_copy(reduction, number);
  if (!copy) {
    copy = calloc(1, item->size);
    if (item->init)
      item->init(copy, item->orig ? item->orig : item->shared);
    __rp_omp_copy_put(reduction, number, copy);
  }
  return copy;
}

static void *own_copy(struct reductions *r, void *data) {
  for (; r; r = r->outer)
    for (int32_t i = 0; i < r->count; i++) {
      struct item *item = &r->items[i];
      if (data == item->shared || data == item->orig || __rp_omp_copy_holds(r, i, data, item->size))
        return task_copy(r, i, item);
    }
  struct item item;
  if (__rp_omp_modifier_find(data, &item))
    return task_copy(item.orig, (uint64_t)1 << 32, &item);
  __rp_unsupported("a task reduction of a variable that no enclosing task group reduces");
}

/* Where threads have copies, these are known under numbers of their own, so that nobody looks at another thread's row. */
#define BY_THREAD ((uint64_t)1 << 40)

MODEL void *__kmpc_task_reduction_get_th_data(UNUSED int32_t gtid, void *handle, void *data) {
  struct reductions *r = handle ? handle : __rp_omp_group_get();
  if (__rp_omp_task_copies())
    return own_copy(r, data);
  for (; r; r = r->outer)
    for (int32_t i = 0; i < r->count; i++) {
      struct item *item = &r->items[i];
      void **row = &r->copies[i * r->threads];
      /* Inside a task that takes part, the variable's name is that of its thread's copy. */
      if (data != item->shared && data != item->orig && !__rp_omp_copy_holds(r, BY_THREAD | i, data, item->size))
        continue;
      void **copy = &row[__rp_omp_number()];
      if (!*copy) {
        *copy = calloc(1, item->size);
        if (item->init)
          item->init(*copy, item->orig ? item->orig : item->shared);
        __rp_omp_copy_put(r, BY_THREAD | i, *copy);
      }
      return *copy;
    }
  __rp_unsupported("a task reduction of a variable that no enclosing task group reduces");
}

static void combine_copy(struct item *item, void *copy) {
  item->comb(item->shared, copy);
  if (item->fini)
    item->fini(copy);
  free(copy);
}

static void combine(struct reductions *r) {
  for (int32_t i = 0; i < r->count; i++) {
    for (unsigned t = 0; t < r->threads; t++)
      if (r->copies[i * r->threads + t])
        combine_copy(&r->items[i], r->copies[i * r->threads + t]);
    for (void *copy; (copy = __rp_omp_copy_take(r, i));)
      combine_copy(&r->items[i], copy);
    while (__rp_omp_copy_take(r, BY_THREAD | i))
      ;
  }
  free(r->copies);
  free(r->items);
  free(r);
}

MODEL void __kmpc_end_taskgroup(UNUSED void *loc, UNUSED int32_t gtid) {
  __rp_omp_group_wait();
  struct reductions *r = __rp_omp_group_own();
  __rp_omp_group_end();
  if (r)
    combine(r);
}

/* A task has ended and combines its copy, where every task has its own. */
static void combine_own(void (*comb)(void *, void *), void (*fini)(void *), void *orig, void *copy) {
  __rp_omp_reduce();
  comb(orig, copy);
  __rp_omp_end_reduce();
  if (fini)
    fini(copy);
  free(copy);
}

/* reduction(task, ...): each implicit task collects what its tasks contribute in its own copy of the variable. */
MODEL void *__kmpc_taskred_modifier_init(void *loc, int32_t gtid, int32_t is_ws, int32_t count, void *data) {
  __kmpc_taskgroup(loc, gtid);
  if (__rp_omp_task_copies() && !is_ws) {
    __rp_omp_modifier_begin(count, data, (void *)combine_own);
    return NULL;
  }
  return __kmpc_taskred_init(gtid, count, data);
}

MODEL void __kmpc_task_reduction_modifier_fini(void *loc, int32_t gtid, int32_t is_ws) {
  __kmpc_end_taskgroup(loc, gtid);
  if (__rp_omp_task_copies() && !is_ws)
    __rp_omp_modifier_end();
}

/* ---- memory: allocators differ in where memory is, which is nobody's business here ---- */

MODEL void *omp_alloc(size_t size, UNUSED uintptr_t allocator) { return malloc(size); }
MODEL void *omp_aligned_alloc(size_t align, size_t size, UNUSED uintptr_t allocator) {
  return __rp_try_alloc(size, align, 0);
}
MODEL void *omp_calloc(size_t n, size_t size, UNUSED uintptr_t allocator) { return calloc(n, size); }
MODEL void *omp_aligned_calloc(size_t align, size_t n, size_t size, UNUSED uintptr_t allocator) {
  size_t total;
  return __builtin_mul_overflow(n, size, &total) ? NULL : __rp_try_alloc(total, align, 1);
}
MODEL void *omp_realloc(void *p, size_t size, UNUSED uintptr_t to, UNUSED uintptr_t from) { return realloc(p, size); }
MODEL void omp_free(void *p, UNUSED uintptr_t allocator) { free(p); }
MODEL uintptr_t omp_init_allocator(UNUSED uintptr_t space, UNUSED int traits, UNUSED const void *list) { return 1; }
MODEL void omp_destroy_allocator(UNUSED uintptr_t allocator) {}
MODEL void omp_set_default_allocator(UNUSED uintptr_t allocator) {}
MODEL uintptr_t omp_get_default_allocator(void) { return 1; }

MODEL void *__kmpc_alloc(UNUSED int32_t gtid, size_t size, UNUSED void *allocator) { return malloc(size); }
MODEL void *__kmpc_aligned_alloc(UNUSED int32_t gtid, size_t align, size_t size, UNUSED void *allocator) {
  return __rp_try_alloc(size, align, 0);
}
MODEL void *__kmpc_calloc(UNUSED int32_t gtid, size_t n, size_t size, UNUSED void *allocator) { return calloc(n, size); }
MODEL void __kmpc_free(UNUSED int32_t gtid, void *p, UNUSED void *allocator) { free(p); }
MODEL void *__kmpc_init_allocator(UNUSED int32_t gtid, UNUSED void *space, UNUSED int traits, UNUSED void *list) {
  return (void *)1;
}
MODEL void __kmpc_destroy_allocator(UNUSED int32_t gtid, UNUSED void *allocator) {}

/* ---- devices: there is only the host ---- */

MODEL void *omp_target_alloc(size_t size, UNUSED int device) { return malloc(size); }
MODEL void omp_target_free(void *p, UNUSED int device) { free(p); }
MODEL int omp_target_is_present(UNUSED const void *p, UNUSED int device) { return 1; }
MODEL int omp_target_is_accessible(UNUSED const void *p, UNUSED size_t size, UNUSED int device) { return 1; }
MODEL int omp_target_memcpy(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset,
                            UNUSED int to_device, UNUSED int from_device) {
  __rp_omp_point();
  memcpy((char *)to + to_offset, (const char *)from + from_offset, size);
  __rp_omp_point();
  return 0;
}
MODEL int omp_target_associate_ptr(UNUSED const void *host, UNUSED const void *device, UNUSED size_t size,
                                   UNUSED size_t offset, UNUSED int number) {
  return 1;
}
MODEL int omp_target_disassociate_ptr(UNUSED const void *host, UNUSED int device) { return 1; }
MODEL void *omp_get_mapped_ptr(const void *p, UNUSED int device) { return (void *)p; }
