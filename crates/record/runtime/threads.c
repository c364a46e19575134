/* Threads and what they synchronise with: POSIX, C11 and the few functions of the C++ runtime that C++ itself needs. */

#define REAL(name) real_##name
#define DECLARE(result, name, ...) static result (*real_##name)(__VA_ARGS__);

typedef pthread_mutex_t mutex;
typedef pthread_rwlock_t rwlock;
typedef const struct timespec *when;
typedef void *(*start)(void *);

DECLARE(int, pthread_create, pthread_t *, const pthread_attr_t *, start, void *)
DECLARE(int, pthread_join, pthread_t, void **)
DECLARE(int, pthread_tryjoin_np, pthread_t, void **)
DECLARE(int, pthread_timedjoin_np, pthread_t, void **, when)
DECLARE(int, pthread_clockjoin_np, pthread_t, void **, clockid_t, when)
DECLARE(int, pthread_mutex_lock, mutex *)
DECLARE(int, pthread_mutex_trylock, mutex *)
DECLARE(int, pthread_mutex_timedlock, mutex *, when)
DECLARE(int, pthread_mutex_clocklock, mutex *, clockid_t, when)
DECLARE(int, pthread_mutex_unlock, mutex *)
DECLARE(int, pthread_spin_lock, pthread_spinlock_t *)
DECLARE(int, pthread_spin_trylock, pthread_spinlock_t *)
DECLARE(int, pthread_spin_unlock, pthread_spinlock_t *)
DECLARE(int, pthread_rwlock_rdlock, rwlock *)
DECLARE(int, pthread_rwlock_tryrdlock, rwlock *)
DECLARE(int, pthread_rwlock_timedrdlock, rwlock *, when)
DECLARE(int, pthread_rwlock_clockrdlock, rwlock *, clockid_t, when)
DECLARE(int, pthread_rwlock_wrlock, rwlock *)
DECLARE(int, pthread_rwlock_trywrlock, rwlock *)
DECLARE(int, pthread_rwlock_timedwrlock, rwlock *, when)
DECLARE(int, pthread_rwlock_clockwrlock, rwlock *, clockid_t, when)
DECLARE(int, pthread_rwlock_unlock, rwlock *)
DECLARE(int, pthread_cond_wait, pthread_cond_t *, mutex *)
DECLARE(int, pthread_cond_timedwait, pthread_cond_t *, mutex *, when)
DECLARE(int, pthread_cond_clockwait, pthread_cond_t *, mutex *, clockid_t, when)
DECLARE(int, pthread_cond_signal, pthread_cond_t *)
DECLARE(int, pthread_cond_broadcast, pthread_cond_t *)
DECLARE(int, pthread_barrier_wait, pthread_barrier_t *)
DECLARE(int, pthread_once, pthread_once_t *, void (*)(void))
DECLARE(int, sem_wait, sem_t *)
DECLARE(int, sem_trywait, sem_t *)
DECLARE(int, sem_timedwait, sem_t *, when)
DECLARE(int, sem_clockwait, sem_t *, clockid_t, when)
DECLARE(int, sem_post, sem_t *)
DECLARE(int, mtx_lock, mtx_t *)
DECLARE(int, mtx_trylock, mtx_t *)
DECLARE(int, mtx_timedlock, mtx_t *, when)
DECLARE(int, mtx_unlock, mtx_t *)
DECLARE(int, cnd_wait, cnd_t *, mtx_t *)
DECLARE(int, cnd_timedwait, cnd_t *, mtx_t *, when)
DECLARE(int, cnd_signal, cnd_t *)
DECLARE(int, cnd_broadcast, cnd_t *)
DECLARE(int, thrd_join, thrd_t, int *)
DECLARE(int, __cxa_guard_acquire, void *)
DECLARE(void, __cxa_guard_release, void *)
DECLARE(void *, dlopen, const char *, int)

/* glibc has an old version of these functions, which a plain look-up may give. */
static void *rp_real_cond(const char *name) {
  void *found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
  return found ? found : dlsym(RTLD_NEXT, name);
}

static void rp_resolve(void) {
#define FIND(name) real_##name = (__typeof__(real_##name))dlsym(RTLD_NEXT, #name);
#define FIND_COND(name) real_##name = (__typeof__(real_##name))rp_real_cond(#name);
  FIND(pthread_create) FIND(pthread_join) FIND(pthread_tryjoin_np) FIND(pthread_timedjoin_np) FIND(pthread_clockjoin_np)
  FIND(pthread_mutex_lock) FIND(pthread_mutex_trylock) FIND(pthread_mutex_timedlock) FIND(pthread_mutex_clocklock)
  FIND(pthread_mutex_unlock) FIND(pthread_spin_lock) FIND(pthread_spin_trylock) FIND(pthread_spin_unlock)
  FIND(pthread_rwlock_rdlock) FIND(pthread_rwlock_tryrdlock) FIND(pthread_rwlock_timedrdlock)
  FIND(pthread_rwlock_clockrdlock) FIND(pthread_rwlock_wrlock) FIND(pthread_rwlock_trywrlock)
  FIND(pthread_rwlock_timedwrlock) FIND(pthread_rwlock_clockwrlock) FIND(pthread_rwlock_unlock)
  FIND_COND(pthread_cond_wait) FIND_COND(pthread_cond_timedwait) FIND(pthread_cond_clockwait)
  FIND_COND(pthread_cond_signal) FIND_COND(pthread_cond_broadcast)
  FIND(pthread_barrier_wait) FIND(pthread_once) FIND(sem_wait) FIND(sem_trywait) FIND(sem_timedwait) FIND(sem_clockwait)
  FIND(sem_post) FIND(mtx_lock) FIND(mtx_trylock) FIND(mtx_timedlock) FIND(mtx_unlock) FIND(cnd_wait) FIND(cnd_timedwait)
  FIND(cnd_signal) FIND(cnd_broadcast) FIND(thrd_join) FIND(__cxa_guard_acquire) FIND(__cxa_guard_release) FIND(dlopen)
}

/* Somebody locks before our constructor has run. */
static inline void rp_ready(void) {
  if (unlikely(!real_pthread_mutex_lock)) rp_attach();
}

/* ---- creation and joining ---- */

/* Numbers of threads by their handles. */
#define HANDLES 65536
static struct {
  u64 handle;
  u32 number;
} rp_handles[HANDLES];
static _Atomic int rp_handles_lock;

static void rp_set_number(pthread_t handle, u32 number) {
  rp_spin_lock(&rp_handles_lock);
  u32 at = (u32)rp_mix(handle, 3);
  for (u32 i = 0; i < HANDLES; i++, at++) {
    if (rp_handles[at % HANDLES].handle && rp_handles[at % HANDLES].handle != handle) continue;
    rp_handles[at % HANDLES].handle = handle;
    rp_handles[at % HANDLES].number = number;
    break;
  }
  rp_spin_unlock(&rp_handles_lock);
}

/* 0 if it is not known: the first thread has that number, and nobody joins it. */
static u32 rp_number(pthread_t handle) {
  u32 found = 0, at = (u32)rp_mix(handle, 3);
  rp_spin_lock(&rp_handles_lock);
  for (u32 i = 0; i < HANDLES && rp_handles[at % HANDLES].handle; i++, at++) {
    if (rp_handles[at % HANDLES].handle == handle) {
      found = rp_handles[at % HANDLES].number;
      break;
    }
  }
  rp_spin_unlock(&rp_handles_lock);
  return found;
}

struct rp_starting {
  start function;
  void *argument;
  u32 number;
};

extern void *__libc_malloc(size_t);
extern void __libc_free(void *);

static void rp_stack(u64 *from, u64 *size) {
  pthread_attr_t attributes;
  void *lowest = 0;
  size_t bytes = 0;
  if (!pthread_getattr_np(pthread_self(), &attributes)) {
    pthread_attr_getstack(&attributes, &lowest, &bytes);
    pthread_attr_destroy(&attributes);
  }
  *from = (u64)lowest;
  *size = bytes;
}

static void *rp_start(void *data) {
  struct rp_starting s = *(struct rp_starting *)data;
  __libc_free(data);
  u64 from, size;
  rp_self = &rp_nobody;
  rp_stack(&from, &size);
  struct rp_thread *t = rp_enter(s.number);
  rp_set_number(pthread_self(), s.number);
  rp_sync(t, (u64)s.function, OP_BEGIN, from, size, 0);
  dl_iterate_phdr(rp_own_memory, t);
  pthread_setspecific(rp_ends, (void *)1);
  return s.function(s.argument);
}

/* Called at the end of each thread, as late as other destructors of thread-specific data allow. */
static void rp_thread_ends(void *rounds) {
  u64 round = (u64)rounds;
  struct rp_thread *t = rp_self;
  if (!t || t == &rp_nobody) return;
  if (round < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(rp_ends, (void *)(round + 1));
    return;
  }
  rp_sync(t, 0, OP_END, 0, 0, 0);
  rp_leave(t);
}

EXPORT int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, start function, void *argument) {
  rp_ready();
  struct rp_thread *t = rp_me();
  if (t == &rp_nobody || t->busy) return REAL(pthread_create)(handle, attributes, function, argument);
  struct rp_starting *s = __libc_malloc(sizeof *s);
  if (!s) return EAGAIN;
  u32 number = unlikely(rp_replaying) ? rp_replay_child(!rp_in_omp(CALLER)) : atomic_fetch_add(&rp_shared->threads, 1);
  *s = (struct rp_starting){function, argument, number};
  /* The threads of OpenMP's runtime are nobody's children; what they do is ordered by its own events. */
  int own = !rp_in_omp(CALLER);
  if (own) rp_sync(t, CALLER, OP_FORK, (u64)function, number, 0);
  int failed = REAL(pthread_create)(handle, attributes, rp_start, s);
  /* Whoever joins it may come before its first step. */
  if (!failed) rp_set_number(*handle, number);
  if (failed) {
    __libc_free(s);
    if (own) rp_sync(t, CALLER, OP_NOT_FORKED, 0, number, 0);
  }
  return failed;
}

static inline int rp_joined(u64 pc, int failed, u32 number) {
  if (!failed && number && !rp_in_omp(pc)) rp_sync(rp_me(), pc, OP_JOIN, 0, number, 0);
  return failed;
}
EXPORT int pthread_join(pthread_t handle, void **result) {
  rp_ready();
  u32 number = rp_number(handle);
  if (unlikely(rp_replaying) && number) rp_replay_before(CALLER, OP_JOIN, 0);
  return rp_joined(CALLER, REAL(pthread_join)(handle, result), number);
}
EXPORT int pthread_tryjoin_np(pthread_t handle, void **result) {
  rp_ready();
  u32 number = rp_number(handle);
  return rp_joined(CALLER, REAL(pthread_tryjoin_np)(handle, result), number);
}
EXPORT int pthread_timedjoin_np(pthread_t handle, void **result, when until) {
  rp_ready();
  u32 number = rp_number(handle);
  return rp_joined(CALLER, REAL(pthread_timedjoin_np)(handle, result, until), number);
}
EXPORT int pthread_clockjoin_np(pthread_t handle, void **result, clockid_t clock, when until) {
  rp_ready();
  u32 number = rp_number(handle);
  return rp_joined(CALLER, REAL(pthread_clockjoin_np)(handle, result, clock, until), number);
}

struct rp_c11 {
  int (*function)(void *);
  void *argument;
};
static void *rp_start_c11(void *data) {
  struct rp_c11 s = *(struct rp_c11 *)data;
  __libc_free(data);
  return (void *)(long)s.function(s.argument);
}
EXPORT int thrd_create(thrd_t *handle, thrd_start_t function, void *argument) {
  struct rp_c11 *s = __libc_malloc(sizeof *s);
  if (!s) return thrd_nomem;
  *s = (struct rp_c11){function, argument};
  int failed = pthread_create(handle, 0, rp_start_c11, s);
  return !failed ? thrd_success : failed == EAGAIN ? thrd_nomem : thrd_error;
}
EXPORT int thrd_join(thrd_t handle, int *result) {
  void *value;
  if (pthread_join(handle, &value)) return thrd_error;
  if (result) *result = (int)(long)value;
  return thrd_success;
}

/* ---- locks ---- */

#define NOTED(pc, op, object)                                                                                          \
  do {                                                                                                                 \
    if (!rp_in_omp(pc)) rp_sync(rp_me(), pc, op, (u64)(object), 0, 0);                                                 \
  } while (0)

/* name(parameters), which calls its own with (arguments) and, if that succeeds, has done `op` with `object`. */
#define AFTER(name, op, object, parameters, arguments, ok)                                                             \
  EXPORT int name parameters {                                                                                         \
    rp_ready();                                                                                                        \
    if (unlikely(rp_replaying)) rp_replay_before(CALLER, op, (u64)(object));                                           \
    int result = REAL(name) arguments;                                                                                 \
    if (ok) NOTED(CALLER, op, object);                                                                                 \
    return result;                                                                                                     \
  }
/* The same for what may fail: in a replay only if it did not. */
#define TRIES(name, op, object, parameters, arguments, ok, no)                                                         \
  EXPORT int name parameters {                                                                                         \
    rp_ready();                                                                                                        \
    if (unlikely(rp_replaying) && !rp_replay_tries(CALLER, op, (u64)(object))) return no;                              \
    int result = REAL(name) arguments;                                                                                 \
    if (ok) NOTED(CALLER, op, object);                                                                                 \
    return result;                                                                                                     \
  }
#define BEFORE(name, op, object, parameters, arguments)                                                                \
  EXPORT int name parameters {                                                                                         \
    rp_ready();                                                                                                        \
    NOTED(CALLER, op, object);                                                                                         \
    return REAL(name) arguments;                                                                                       \
  }
#define LOCKED (!result || result == EOWNERDEAD)

AFTER(pthread_mutex_lock, OP_ACQUIRE, m, (mutex *m), (m), LOCKED)
TRIES(pthread_mutex_trylock, OP_ACQUIRE, m, (mutex *m), (m), LOCKED, EBUSY)
TRIES(pthread_mutex_timedlock, OP_ACQUIRE, m, (mutex *m, when t), (m, t), LOCKED, ETIMEDOUT)
TRIES(pthread_mutex_clocklock, OP_ACQUIRE, m, (mutex *m, clockid_t c, when t), (m, c, t), LOCKED, ETIMEDOUT)
BEFORE(pthread_mutex_unlock, OP_RELEASE, m, (mutex *m), (m))
AFTER(pthread_spin_lock, OP_ACQUIRE, m, (pthread_spinlock_t *m), (m), LOCKED)
TRIES(pthread_spin_trylock, OP_ACQUIRE, m, (pthread_spinlock_t *m), (m), LOCKED, EBUSY)
BEFORE(pthread_spin_unlock, OP_RELEASE, m, (pthread_spinlock_t *m), (m))
AFTER(pthread_rwlock_rdlock, OP_ACQUIRE_SHARED, m, (rwlock *m), (m), LOCKED)
TRIES(pthread_rwlock_tryrdlock, OP_ACQUIRE_SHARED, m, (rwlock *m), (m), LOCKED, EBUSY)
TRIES(pthread_rwlock_timedrdlock, OP_ACQUIRE_SHARED, m, (rwlock *m, when t), (m, t), LOCKED, ETIMEDOUT)
TRIES(pthread_rwlock_clockrdlock, OP_ACQUIRE_SHARED, m, (rwlock *m, clockid_t c, when t), (m, c, t), LOCKED, ETIMEDOUT)
AFTER(pthread_rwlock_wrlock, OP_ACQUIRE, m, (rwlock *m), (m), LOCKED)
TRIES(pthread_rwlock_trywrlock, OP_ACQUIRE, m, (rwlock *m), (m), LOCKED, EBUSY)
TRIES(pthread_rwlock_timedwrlock, OP_ACQUIRE, m, (rwlock *m, when t), (m, t), LOCKED, ETIMEDOUT)
TRIES(pthread_rwlock_clockwrlock, OP_ACQUIRE, m, (rwlock *m, clockid_t c, when t), (m, c, t), LOCKED, ETIMEDOUT)
/* Which of the two it is follows from what the thread holds. */
BEFORE(pthread_rwlock_unlock, OP_RELEASE, m, (rwlock *m), (m))
AFTER(mtx_lock, OP_ACQUIRE, m, (mtx_t *m), (m), result == thrd_success)
TRIES(mtx_trylock, OP_ACQUIRE, m, (mtx_t *m), (m), result == thrd_success, thrd_busy)
TRIES(mtx_timedlock, OP_ACQUIRE, m, (mtx_t * m, when t), (m, t), result == thrd_success, thrd_timedout)
BEFORE(mtx_unlock, OP_RELEASE, m, (mtx_t *m), (m))
AFTER(sem_wait, OP_WAIT, s, (sem_t *s), (s), !result)
TRIES(sem_trywait, OP_WAIT, s, (sem_t *s), (s), !result, (errno = EAGAIN, -1))
TRIES(sem_timedwait, OP_WAIT, s, (sem_t *s, when t), (s, t), !result, (errno = ETIMEDOUT, -1))
TRIES(sem_clockwait, OP_WAIT, s, (sem_t *s, clockid_t c, when t), (s, c, t), !result, (errno = ETIMEDOUT, -1))
BEFORE(sem_post, OP_NOTIFY, s, (sem_t *s), (s))

/* ---- condition variables: the mutex is released and acquired again, also by a thread that is cancelled ---- */

struct rp_waiting {
  mutex *m;
  u64 pc;
};
static void rp_woken(void *data) {
  struct rp_waiting *w = data;
  rp_sync(rp_me(), w->pc, OP_ACQUIRE, (u64)w->m, 0, 0);
}
/* When it wakes is in the schedule, so nobody needs to wake it. */
static int rp_wait_replayed(u64 pc, void *c, mutex *m, int timed) {
  rp_sync(rp_me(), pc, OP_RELEASE, (u64)m, 0, 0);
  REAL(pthread_mutex_unlock)(m);
  rp_replay_before(pc, OP_ACQUIRE, (u64)m);
  int result = REAL(pthread_mutex_lock)(m);
  rp_sync(rp_me(), pc, OP_ACQUIRE, (u64)m, 0, 0);
  if (timed && !rp_replay_tries(pc, OP_WAIT, (u64)c)) return ETIMEDOUT;
  rp_sync(rp_me(), pc, OP_WAIT, (u64)c, 0, 0);
  return result;
}
static int rp_wait_on(u64 pc, void *c, mutex *m, int clocked, clockid_t clock, when until) {
  if (rp_in_omp(pc)) {
    if (!until) return REAL(pthread_cond_wait)(c, m);
    return clocked ? REAL(pthread_cond_clockwait)(c, m, clock, until) : REAL(pthread_cond_timedwait)(c, m, until);
  }
  struct rp_waiting w = {m, pc};
  int result;
  if (unlikely(rp_replaying)) return rp_wait_replayed(pc, c, m, until != 0);
  rp_sync(rp_me(), pc, OP_RELEASE, (u64)m, 0, 0);
  pthread_cleanup_push(rp_woken, &w);
  result = !until ? REAL(pthread_cond_wait)(c, m)
           : clocked ? REAL(pthread_cond_clockwait)(c, m, clock, until)
                     : REAL(pthread_cond_timedwait)(c, m, until);
  pthread_cleanup_pop(1);
  if (!result) rp_sync(rp_me(), pc, OP_WAIT, (u64)c, 0, 0);
  return result;
}
EXPORT int pthread_cond_wait(pthread_cond_t *c, mutex *m) {
  rp_ready();
  return rp_wait_on(CALLER, c, m, 0, 0, 0);
}
EXPORT int pthread_cond_timedwait(pthread_cond_t *c, mutex *m, when until) {
  rp_ready();
  return rp_wait_on(CALLER, c, m, 0, 0, until);
}
EXPORT int pthread_cond_clockwait(pthread_cond_t *c, mutex *m, clockid_t clock, when until) {
  rp_ready();
  return rp_wait_on(CALLER, c, m, 1, clock, until);
}
BEFORE(pthread_cond_signal, OP_NOTIFY, c, (pthread_cond_t *c), (c))
BEFORE(pthread_cond_broadcast, OP_NOTIFY, c, (pthread_cond_t *c), (c))
/* glibc's C11 types are its POSIX types. */
static int rp_c11_result(int result) {
  return !result ? thrd_success : result == ETIMEDOUT ? thrd_timedout : thrd_error;
}
EXPORT int cnd_wait(cnd_t *c, mtx_t *m) {
  rp_ready();
  return rp_c11_result(rp_wait_on(CALLER, c, (mutex *)m, 0, 0, 0));
}
EXPORT int cnd_timedwait(cnd_t *c, mtx_t *m, when until) {
  rp_ready();
  return rp_c11_result(rp_wait_on(CALLER, c, (mutex *)m, 0, 0, until));
}
BEFORE(cnd_signal, OP_NOTIFY, c, (cnd_t *c), (c))
BEFORE(cnd_broadcast, OP_NOTIFY, c, (cnd_t *c), (c))

/* ---- barriers, once, static objects of C++ ---- */

EXPORT int pthread_barrier_wait(pthread_barrier_t *b) {
  rp_ready();
  rp_sync(rp_me(), CALLER, OP_BARRIER, (u64)b, 0, 0);
  int result = REAL(pthread_barrier_wait)(b);
  rp_sync(rp_me(), CALLER, OP_BARRIER_LEFT, (u64)b, 0, 0);
  return result;
}

static _Thread_local void (*rp_once_function)(void) __attribute__((tls_model("initial-exec")));
static _Thread_local void *rp_once_object __attribute__((tls_model("initial-exec")));
static void rp_run_once(void) {
  void *object = rp_once_object;
  rp_once_function();
  rp_sync(rp_me(), CALLER, OP_NOTIFY, (u64)object, 0, 0);
}
EXPORT int pthread_once(pthread_once_t *o, void (*function)(void)) {
  rp_ready();
  if (rp_in_omp(CALLER)) return REAL(pthread_once)(o, function);
  void (*outer)(void) = rp_once_function;
  void *outer_object = rp_once_object;
  rp_once_function = function;
  rp_once_object = o;
  int result = REAL(pthread_once)(o, rp_run_once);
  rp_once_function = outer;
  rp_once_object = outer_object;
  rp_sync(rp_me(), CALLER, OP_WAIT, (u64)o, 0, 0);
  return result;
}
EXPORT void call_once(once_flag *o, void (*function)(void)) { pthread_once((pthread_once_t *)o, function); }

/* The compiler's own test of the guard is an atomic load of its first byte, so these are atomic accesses to it. */
EXPORT int __cxa_guard_acquire(void *guard) {
  rp_ready();
  int mine = REAL(__cxa_guard_acquire)(guard);
  if (!mine) rp_sync(rp_me(), CALLER, OP_LOAD, (u64)guard, 0, __ATOMIC_ACQUIRE);
  return mine;
}
EXPORT void __cxa_guard_release(void *guard) {
  rp_ready();
  rp_sync(rp_me(), CALLER, OP_STORE, (u64)guard, 0, __ATOMIC_RELEASE);
  struct rp_stripe *stripe = rp_stripe((u64)guard);
  rp_spin_lock(&stripe->lock);
  stripe->version++;
  rp_spin_unlock(&stripe->lock);
  REAL(__cxa_guard_release)(guard);
}

EXPORT void *dlopen(const char *path, int flags) {
  rp_ready();
  void *handle = REAL(dlopen)(path, flags);
  struct rp_thread *t = rp_me();
  if (handle) rp_modules(t);
  return handle;
}
