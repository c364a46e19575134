/* OpenMP: regions, tasks and waiting as OMPT tells them; locks by functions of our own, since OMPT tells of a release when
 * it has happened already. */

typedef union {
  u64 value;
  void *ptr;
} omp_data;
typedef struct {
  omp_data variable;
  int type;
} omp_dependence;
typedef void (*omp_function)(void);
typedef omp_function (*omp_lookup)(const char *);
struct omp_tool {
  int (*initialize)(omp_lookup, int, omp_data *);
  void (*finalize)(omp_data *);
  omp_data data;
};

enum { OMP_BEGIN = 1, OMP_END = 2, OMP_BEGIN_END = 3, OMP_REDUCTION = 7, OMP_INITIAL = 1, OMP_UNDEFERRED = 0x08000000 };

static _Atomic u64 rp_omp_numbers = 1;
/* While a reduction combines private copies, nothing is recorded: the runtime orders it in ways of its own. */
static _Thread_local struct rp_thread *rp_hidden __attribute__((tls_model("initial-exec")));

/* Not every thread is told that a reduction is over: it is, at the latest, behind the next barrier. */
static void rp_unhide(void) {
  if (!rp_hidden) return;
  rp_self = rp_hidden;
  rp_hidden = 0;
}

static struct rp_thread *rp_omp_me(void) { return rp_hidden ? rp_hidden : rp_me(); }

static void rp_omp(u32 op, u64 object, u64 argument, u32 flag, const void *pc) {
  rp_sync(rp_omp_me(), (u64)pc, op, object, argument, flag);
}

/* The stack below this frame belongs to nobody any more: what comes there is another task's. */
static _Thread_local u64 rp_stack_from __attribute__((tls_model("initial-exec")));
static void rp_dead_stack(char *frame) {
  if (!rp_stack_from) {
    u64 size;
    struct rp_thread *t = rp_omp_me();
    if (t == &rp_nobody || t->busy) return;
    t->busy = 1;
    rp_stack(&rp_stack_from, &size);
    t->busy = 0;
    if (!rp_stack_from) rp_stack_from = 1;
  }
  u64 to = (u64)frame;
  /* The main thread's stack has no fixed lower end, and nobody uses more than this. */
  u64 from = to > rp_stack_from + (8 << 20) ? to - (8 << 20) : rp_stack_from;
  if (from < to && from > 1) rp_omp(OP_DEAD_STACK, from, to - from, 0, 0);
}

/* The program learns which thread it is: once for each time that a thread executes a task. */
static _Thread_local int rp_asked __attribute__((tls_model("initial-exec")));
static void rp_asks(u64 pc) {
  struct rp_thread *t = rp_self;
  if (rp_asked || !t || t == &rp_nobody || t->busy || rp_quiet(pc)) return;
  rp_asked = 1;
  rp_sync(t, pc, OP_ASKED, 0, 0, 0);
}

static void rp_parallel_begin(omp_data *task, const void *frame, omp_data *region, unsigned size, int flags, const void *pc) {
  (void)task, (void)frame, (void)size, (void)flags;
  region->value = unlikely(rp_replaying) ? rp_replay_team() : atomic_fetch_add(&rp_omp_numbers, 1);
  rp_omp(OP_PARALLEL_BEGIN, region->value, 0, 0, pc);
}
static void rp_parallel_end(omp_data *region, omp_data *task, int flags, const void *pc) {
  (void)task, (void)flags;
  rp_unhide();
  if (unlikely(rp_replaying) && region->value) rp_replay_switch(rp_omp_me(), (u64)((struct rp_team *)region->value)->by);
  rp_omp(OP_PARALLEL_END, region->value, 0, 0, pc);
}
static void rp_implicit_task(int end, omp_data *region, omp_data *task, unsigned size, unsigned index, int flags) {
  (void)size;
  if (end != OMP_BEGIN) return;
  rp_unhide();
  rp_asked = 0;
  if (unlikely(rp_replaying)) {
    int initial = flags & OMP_INITIAL;
    task->value = initial ? (u64)&rp_base : rp_replay_member(region ? region->ptr : 0, index);
    if (!initial) rp_replay_switch(rp_omp_me(), task->value);
    if (!initial) rp_omp(OP_IMPLICIT, 0, 0, 0, 0);
    return;
  }
  task->value = atomic_fetch_add(&rp_omp_numbers, 1);
  if (flags & OMP_INITIAL) return;
  rp_dead_stack(__builtin_frame_address(0));
  rp_omp(OP_IMPLICIT, (region ? region->value : 0) | (u64)(index & 0xffff) << 32, task->value, 0, 0);
}
static void rp_task_create(omp_data *by, const void *frame, omp_data *task, int flags, int depends, const void *pc) {
  (void)by, (void)frame, (void)depends;
  task->value = unlikely(rp_replaying) ? rp_replay_task() : atomic_fetch_add(&rp_omp_numbers, 1);
  /* The runtime uses the memory of ended tasks again; the program's part lies behind this. */
  rp_omp(OP_ALLOC, (u64)task, 512, 0, pc);
  rp_omp(OP_TASK_CREATE, 0, task->value, (flags & OMP_UNDEFERRED) != 0, pc);
}
static void rp_task_schedule(omp_data *before, int status, omp_data *after) {
  int complete = status == 1 || status == 3 || status == 4 ? 1 : status == 5 || status == 6 ? 2 : 0;
  if (complete != 2) rp_asked = 0;
  if (unlikely(rp_replaying)) {
    if (complete != 2) rp_replay_switch(rp_omp_me(), after ? after->value : 0);
    return;
  }
  rp_omp(OP_TASK_SCHEDULE, before ? before->value : 0, after ? after->value : 0, (u32)complete, 0);
  if (complete != 2) rp_dead_stack((char *)__builtin_frame_address(0) + 128);
}
static void rp_dependences(omp_data *task, const omp_dependence *list, int count) {
  for (int i = 0; i < count; i++) {
    rp_omp(OP_DEPENDENCE, (u64)list[i].variable.ptr, task->value, (u32)list[i].type & 255, 0);
  }
}
static void rp_region(int kind, int end, omp_data *region, omp_data *task, const void *pc) {
  (void)region, (void)task;
  if (kind == OMP_REDUCTION) return;
  if (end & OMP_BEGIN) rp_omp(OP_REGION_BEGIN, 0, 0, (u32)kind, pc);
  if (end & OMP_END) rp_unhide();
  if (end & OMP_END) rp_omp(OP_REGION_END, 0, 0, (u32)kind, pc);
}
static void rp_reduction(int kind, int end, omp_data *region, omp_data *task, const void *pc) {
  (void)kind, (void)region, (void)task, (void)pc;
  struct rp_thread *t = rp_self;
  if (end == OMP_BEGIN && t && t != &rp_nobody) {
    rp_hidden = t;
    rp_self = &rp_nobody;
  } else if (end == OMP_END) {
    rp_unhide();
  }
}

static int rp_omp_initialize(omp_lookup lookup, int device, omp_data *data) {
  (void)device, (void)data;
  int (*set)(int, omp_function) = (int (*)(int, omp_function))lookup("ompt_set_callback");
  if (!set || atomic_load(&rp_off)) return 0;
  dl_iterate_phdr(rp_find_omp, 0);
  set(3, (omp_function)rp_parallel_begin);
  set(4, (omp_function)rp_parallel_end);
  set(5, (omp_function)rp_task_create);
  set(6, (omp_function)rp_task_schedule);
  set(7, (omp_function)rp_implicit_task);
  set(18, (omp_function)rp_dependences);
  set(23, (omp_function)rp_region);
  set(31, (omp_function)rp_reduction);
  return 1;
}
static void rp_omp_finalize(omp_data *data) { (void)data; }

EXPORT struct omp_tool *ompt_start_tool(unsigned version, const char *runtime) {
  (void)version, (void)runtime;
  static struct omp_tool tool = {rp_omp_initialize, rp_omp_finalize, {0}};
  rp_attach();
  return atomic_load(&rp_off) ? 0 : &tool;
}

#define OMP_REAL(result, name, parameters)                                                                             \
  static result(*real) parameters;                                                                                     \
  if (!real) real = (result(*) parameters)dlsym(RTLD_NEXT, #name);

EXPORT void __kmpc_critical(void *loc, int gtid, void *lock) {
  OMP_REAL(void, __kmpc_critical, (void *, int, void *))
  if (unlikely(rp_replaying)) rp_replay_before(CALLER, OP_ACQUIRE, (u64)lock);
  real(loc, gtid, lock);
  rp_sync(rp_me(), CALLER, OP_ACQUIRE, (u64)lock, 0, 0);
}
EXPORT void __kmpc_critical_with_hint(void *loc, int gtid, void *lock, u32 hint) {
  OMP_REAL(void, __kmpc_critical_with_hint, (void *, int, void *, u32))
  if (unlikely(rp_replaying)) rp_replay_before(CALLER, OP_ACQUIRE, (u64)lock);
  real(loc, gtid, lock, hint);
  rp_sync(rp_me(), CALLER, OP_ACQUIRE, (u64)lock, 0, 0);
}
EXPORT void __kmpc_end_critical(void *loc, int gtid, void *lock) {
  OMP_REAL(void, __kmpc_end_critical, (void *, int, void *))
  rp_sync(rp_me(), CALLER, OP_RELEASE, (u64)lock, 0, 0);
  real(loc, gtid, lock);
}
/* Who executes a `single`, and who gets which iterations, depends on who comes first. A replay decides as the recording did, and does
 * not ask the runtime: no thread of the team does. */
EXPORT int __kmpc_single(void *loc, int gtid) {
  OMP_REAL(int, __kmpc_single, (void *, int))
  struct rp_decision *decided = rp_decided(CALLER, OP_SINGLE);
  if (unlikely(decided != 0)) return (int)decided->flag;
  int mine = real(loc, gtid);
  rp_sync(rp_me(), CALLER, OP_SINGLE, 0, 0, (u32)mine);
  return mine;
}
#define OMP_INIT(name, type, step)                                                                                     \
  EXPORT void name(void *loc, int gtid, int schedule, type from, type to, step by, step chunk) {                       \
    OMP_REAL(void, name, (void *, int, int, type, type, step, step))                                                   \
    if (likely(!rp_replaying)) real(loc, gtid, schedule, from, to, by, chunk);                                         \
  }
#define OMP_DIST(name, type, step)                                                                                     \
  EXPORT void name(void *loc, int gtid, int schedule, int *last, type from, type to, step by, step chunk) {            \
    OMP_REAL(void, name, (void *, int, int, int *, type, type, step, step))                                            \
    if (likely(!rp_replaying)) real(loc, gtid, schedule, last, from, to, by, chunk);                                   \
  }
#define OMP_NEXT(name, type, step)                                                                                     \
  EXPORT int name(void *loc, int gtid, int *last, type *from, type *to, step *by) {                                    \
    OMP_REAL(int, name, (void *, int, int *, type *, type *, step *))                                                  \
    struct rp_decision *decided = rp_decided(CALLER, OP_CHUNK);                                                        \
    if (unlikely(decided != 0)) {                                                                                      \
      if (!(decided->flag & 1)) return 0;                                                                              \
      *from = (type)decided->first;                                                                                    \
      *to = (type)(decided->first + decided->more);                                                                    \
      if (by) *by = 1;                                                                                                 \
      if (last) *last = (decided->flag & 2) != 0;                                                                      \
      return 1;                                                                                                        \
    }                                                                                                                  \
    int some = real(loc, gtid, last, from, to, by);                                                                    \
    u64 more = some ? (u64)*to - (u64)*from : 0;                                                                       \
    u32 odd = some && (more > ADDRESS || (by && *by != 1)) ? 4 : 0;                                                    \
    rp_sync(rp_me(), CALLER, OP_CHUNK, more, some ? (u64)*from : 0, (some != 0) | (some && last && *last ? 2 : 0) | odd); \
    return some;                                                                                                       \
  }
#define OMP_FINI(name)                                                                                                 \
  EXPORT void name(void *loc, int gtid) {                                                                              \
    OMP_REAL(void, name, (void *, int))                                                                                \
    if (likely(!rp_replaying) && real) real(loc, gtid);                                                                \
  }
OMP_INIT(__kmpc_dispatch_init_4, int, int)
OMP_INIT(__kmpc_dispatch_init_4u, u32, int)
OMP_INIT(__kmpc_dispatch_init_8, s64, s64)
OMP_INIT(__kmpc_dispatch_init_8u, u64, s64)
OMP_DIST(__kmpc_dist_dispatch_init_4, int, int)
OMP_DIST(__kmpc_dist_dispatch_init_4u, u32, int)
OMP_DIST(__kmpc_dist_dispatch_init_8, s64, s64)
OMP_DIST(__kmpc_dist_dispatch_init_8u, u64, s64)
OMP_NEXT(__kmpc_dispatch_next_4, int, int)
OMP_NEXT(__kmpc_dispatch_next_4u, u32, int)
OMP_NEXT(__kmpc_dispatch_next_8, s64, s64)
OMP_NEXT(__kmpc_dispatch_next_8u, u64, s64)
OMP_FINI(__kmpc_dispatch_fini_4)
OMP_FINI(__kmpc_dispatch_fini_4u)
OMP_FINI(__kmpc_dispatch_fini_8)
OMP_FINI(__kmpc_dispatch_fini_8u)
OMP_FINI(__kmpc_dispatch_deinit)

/* The iterations' ordered blocks come one after the other; in a replay by their turns. */
EXPORT void __kmpc_ordered(void *loc, int gtid) {
  OMP_REAL(void, __kmpc_ordered, (void *, int))
  if (unlikely(rp_replaying)) rp_replay_before(CALLER, OP_WAIT, 32);
  else real(loc, gtid);
  rp_sync(rp_me(), CALLER, OP_WAIT, 32, 0, 0);
}
EXPORT void __kmpc_end_ordered(void *loc, int gtid) {
  OMP_REAL(void, __kmpc_end_ordered, (void *, int))
  rp_sync(rp_me(), CALLER, OP_NOTIFY, 32, 0, 0);
  if (likely(!rp_replaying)) real(loc, gtid);
}
EXPORT void __kmpc_doacross_wait(void *loc, int gtid, const s64 *iteration) {
  OMP_REAL(void, __kmpc_doacross_wait, (void *, int, const s64 *))
  real(loc, gtid, iteration);
  rp_sync(rp_me(), CALLER, OP_WAIT, 48, 0, 0);
}
EXPORT void __kmpc_doacross_post(void *loc, int gtid, const s64 *iteration) {
  OMP_REAL(void, __kmpc_doacross_post, (void *, int, const s64 *))
  rp_sync(rp_me(), CALLER, OP_NOTIFY, 48, 0, 0);
  real(loc, gtid, iteration);
}
EXPORT void *__kmpc_omp_task_alloc(void *loc, int gtid, int flags, size_t size, size_t shared, void *entry) {
  OMP_REAL(void *, __kmpc_omp_task_alloc, (void *, int, int, size_t, size_t, void *))
  void *task = real(loc, gtid, flags, size, shared, entry);
  if (task) rp_sync(rp_me(), CALLER, OP_ALLOC, (u64)task, size + shared, 0);
  return task;
}

#define OMP_ASKS(name, result, parameters, arguments)                                                                  \
  EXPORT result name parameters {                                                                                      \
    OMP_REAL(result, name, parameters)                                                                                 \
    rp_asks(CALLER);                                                                                                   \
    return real arguments;                                                                                             \
  }
OMP_ASKS(omp_get_thread_num, int, (void), ())
OMP_ASKS(omp_get_place_num, int, (void), ())
OMP_ASKS(omp_get_ancestor_thread_num, int, (int level), (level))
OMP_ASKS(__kmpc_threadprivate_cached, void *, (void *loc, int gtid, void *data, size_t size, void *cache), (loc, gtid, data, size, cache))
OMP_ASKS(pthread_self, pthread_t, (void), ())
OMP_ASKS(pthread_getspecific, void *, (pthread_key_t key), (key))
OMP_ASKS(thrd_current, thrd_t, (void), ())
OMP_ASKS(tss_get, void *, (tss_t key), (key))
OMP_ASKS(gettid, pid_t, (void), ())
OMP_ASKS(sched_getcpu, int, (void), ())

#define OMP_LOCK(name, op)                                                                                             \
  EXPORT void name(void *lock) {                                                                                       \
    OMP_REAL(void, name, (void *))                                                                                     \
    if (op == OP_RELEASE) rp_sync(rp_me(), CALLER, op, (u64)lock, 0, 0);                                               \
    if (op == OP_ACQUIRE && unlikely(rp_replaying)) rp_replay_before(CALLER, op, (u64)lock);                           \
    real(lock);                                                                                                        \
    if (op == OP_ACQUIRE) rp_sync(rp_me(), CALLER, op, (u64)lock, 0, 0);                                               \
  }
#define OMP_TEST(name)                                                                                                 \
  EXPORT int name(void *lock) {                                                                                        \
    OMP_REAL(int, name, (void *))                                                                                      \
    if (unlikely(rp_replaying) && !rp_replay_tries(CALLER, OP_ACQUIRE, (u64)lock)) return 0;                           \
    int got = real(lock);                                                                                              \
    if (got) rp_sync(rp_me(), CALLER, OP_ACQUIRE, (u64)lock, 0, 0);                                                    \
    return got;                                                                                                        \
  }
OMP_LOCK(omp_set_lock, OP_ACQUIRE)
OMP_LOCK(omp_unset_lock, OP_RELEASE)
OMP_LOCK(omp_set_nest_lock, OP_ACQUIRE)
OMP_LOCK(omp_unset_nest_lock, OP_RELEASE)
OMP_TEST(omp_test_lock)
OMP_TEST(omp_test_nest_lock)
/* Waiting for dependences without a task: what has ended by then is before what comes. */
EXPORT void __kmpc_omp_wait_deps(void *loc, int gtid, int n, void *list, int m, void *others) {
  OMP_REAL(void, __kmpc_omp_wait_deps, (void *, int, int, void *, int, void *))
  real(loc, gtid, n, list, m, others);
  rp_omp(OP_REGION_END, 0, 0, 5, (void *)CALLER);
}
EXPORT void __kmpc_omp_taskwait_deps_51(void *loc, int gtid, int n, void *list, int m, void *others, int nowait) {
  OMP_REAL(void, __kmpc_omp_taskwait_deps_51, (void *, int, int, void *, int, void *, int))
  real(loc, gtid, n, list, m, others, nowait);
  rp_omp(OP_REGION_END, 0, 0, 5, (void *)CALLER);
}
