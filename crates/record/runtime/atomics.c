/* Atomic operations. The operation and its global number are one step: a lock for each stripe of addresses sees to it, so
 * that the recorded order is the order in which they happened. */

typedef unsigned __int128 u128;
#define STRIPES 1024
struct rp_stripe {
  _Atomic int lock;
  u32 version; /* counts operations that may write */
  u64 pad[7];
};
static struct rp_stripe rp_stripes[STRIPES];

/* The last atomic load of a thread: the same load of the same write again adds nothing. */
struct rp_loaded {
  u64 addr, pc;
  u32 version, k;
};
static _Thread_local struct rp_loaded rp_loaded __attribute__((tls_model("initial-exec")));

static struct rp_stripe *rp_stripe(u64 addr) { return &rp_stripes[rp_mix(addr >> 4, 1) & (STRIPES - 1)]; }

struct rp_pending {
  struct rp_thread *t;
  struct rp_stripe *stripe;
  u64 *at;
  u64 pc;
  u32 site;
};

static inline struct rp_pending rp_atomic_begin(u64 pc, u64 addr) {
  struct rp_thread *t = rp_me();
  struct rp_pending p = {t, rp_stripe(addr), 0, pc, 0};
  if (t == &rp_nobody || t->busy) {
    p.t = &rp_nobody;
    return p;
  }
  if (unlikely(rp_replaying)) {
    if (!rp_replay_atomic(t, pc, addr)) p.t = &rp_nobody;
    return p;
  }
  t->busy = 1;
  p.site = rp_site(t, pc, KIND_SYNC);
  p.at = rp_room(t, 4);
  rp_spin_lock(&p.stripe->lock);
  return p;
}

static inline void rp_atomic_end(struct rp_pending p, u32 op, u64 addr, int order, u32 log) {
  struct rp_thread *t = p.t;
  if (t == &rp_nobody) return;
  if (unlikely(rp_replaying)) return rp_replay_atomic_end(t, p.pc, addr, op);
  if (op == OP_LOAD) {
    int again = rp_loaded.addr == addr && rp_loaded.pc == p.pc && rp_loaded.version == p.stripe->version &&
                rp_loaded.k == t->k;
    if (again) {
      rp_spin_unlock(&p.stripe->lock);
      t->busy = 0;
      return;
    }
  } else {
    p.stripe->version++;
  }
  u64 seq = rp_next(t);
  u32 version = p.stripe->version;
  rp_spin_unlock(&p.stripe->lock);
  u32 k = t->k++;
  if (op == OP_LOAD) rp_loaded = (struct rp_loaded){addr, p.pc, version, t->k};
  p.at[1] = seq;
  p.at[2] = (addr & ADDRESS) | (u64)op << 48 | (u64)((order & 15) | log << 4) << 56;
  p.at[3] = 0;
  rp_put(t, p.at, 4, rp_word(TAG_SYNC, p.site, k));
  t->busy = 0;
}

#define RMW(bits, type, log, name, builtin)                                                                            \
  EXPORT type __tsan_atomic##bits##_##name(volatile type *a, type v, int order) {                                      \
    struct rp_pending p = rp_atomic_begin(CALLER, (u64)a);                                                             \
    type old = builtin(a, v, __ATOMIC_SEQ_CST);                                                                        \
    rp_atomic_end(p, OP_UPDATE, (u64)a, order, log);                                                                   \
    return old;                                                                                                        \
  }
#define CAS(bits, type, log, name, weak)                                                                               \
  EXPORT int __tsan_atomic##bits##_##name(volatile type *a, type *expected, type v, int order, int fail) {             \
    struct rp_pending p = rp_atomic_begin(CALLER, (u64)a);                                                             \
    int done = __atomic_compare_exchange_n(a, expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                     \
    rp_atomic_end(p, done ? OP_UPDATE : OP_LOAD, (u64)a, done ? order : fail, log);                                    \
    return done;                                                                                                       \
  }
#define ATOMICS(bits, type, log)                                                                                       \
  EXPORT type __tsan_atomic##bits##_load(const volatile type *a, int order) {                                          \
    struct rp_pending p = rp_atomic_begin(CALLER, (u64)a);                                                             \
    type v = __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                                     \
    rp_atomic_end(p, OP_LOAD, (u64)a, order, log);                                                                     \
    return v;                                                                                                          \
  }                                                                                                                    \
  EXPORT void __tsan_atomic##bits##_store(volatile type *a, type v, int order) {                                       \
    struct rp_pending p = rp_atomic_begin(CALLER, (u64)a);                                                             \
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                                          \
    rp_atomic_end(p, OP_STORE, (u64)a, order, log);                                                                    \
  }                                                                                                                    \
  RMW(bits, type, log, exchange, __atomic_exchange_n)                                                                  \
  RMW(bits, type, log, fetch_add, __atomic_fetch_add)                                                                  \
  RMW(bits, type, log, fetch_sub, __atomic_fetch_sub)                                                                  \
  RMW(bits, type, log, fetch_and, __atomic_fetch_and)                                                                  \
  RMW(bits, type, log, fetch_or, __atomic_fetch_or)                                                                    \
  RMW(bits, type, log, fetch_xor, __atomic_fetch_xor)                                                                  \
  RMW(bits, type, log, fetch_nand, __atomic_fetch_nand)                                                                \
  CAS(bits, type, log, compare_exchange_strong, 0)                                                                     \
  CAS(bits, type, log, compare_exchange_weak, 1)                                                                       \
  EXPORT type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type expected, type v, int order, int fail) { \
    struct rp_pending p = rp_atomic_begin(CALLER, (u64)a);                                                             \
    int done = __atomic_compare_exchange_n(a, &expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                    \
    rp_atomic_end(p, done ? OP_UPDATE : OP_LOAD, (u64)a, done ? order : fail, log);                                    \
    return expected;                                                                                                   \
  }
ATOMICS(8, uint8_t, 0)
ATOMICS(16, uint16_t, 1)
ATOMICS(32, uint32_t, 2)
ATOMICS(64, uint64_t, 3)

EXPORT void __tsan_atomic_thread_fence(int order) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  rp_sync(rp_me(), CALLER, OP_FENCE, 0, 0, (u32)order & 15);
}
EXPORT void __tsan_atomic_signal_fence(int order) { (void)order; }

/* 16 bytes: under the stripe's lock alone, which every access of the program to them takes. */
#define WIDE(name, code)                                                                                               \
  EXPORT u128 __tsan_atomic128_##name(volatile u128 *a, u128 v, int order) {                                           \
    struct rp_stripe *s = rp_stripe((u64)a);                                                                           \
    struct rp_pending p = rp_atomic_begin(CALLER, (u64)a);                                                             \
    if (p.t == &rp_nobody || rp_replaying) rp_spin_lock(&s->lock);                                                                     \
    u128 old = *a;                                                                                                     \
    *a = code;                                                                                                         \
    if (p.t == &rp_nobody || rp_replaying) rp_spin_unlock(&s->lock);                                                                   \
    rp_atomic_end(p, OP_UPDATE, (u64)a, order, 4);                                                                     \
    return old;                                                                                                        \
  }
WIDE(exchange, v)
WIDE(fetch_add, old + v)
WIDE(fetch_sub, old - v)
WIDE(fetch_and, old & v)
WIDE(fetch_or, old | v)
WIDE(fetch_xor, old ^ v)
WIDE(fetch_nand, ~(old & v))
EXPORT u128 __tsan_atomic128_load(const volatile u128 *a, int order) {
  struct rp_stripe *s = rp_stripe((u64)a);
  struct rp_pending p = rp_atomic_begin(CALLER, (u64)a);
  if (p.t == &rp_nobody || rp_replaying) rp_spin_lock(&s->lock);
  u128 v = *a;
  if (p.t == &rp_nobody || rp_replaying) rp_spin_unlock(&s->lock);
  rp_atomic_end(p, OP_LOAD, (u64)a, order, 4);
  return v;
}
EXPORT void __tsan_atomic128_store(volatile u128 *a, u128 v, int order) {
  struct rp_stripe *s = rp_stripe((u64)a);
  struct rp_pending p = rp_atomic_begin(CALLER, (u64)a);
  if (p.t == &rp_nobody || rp_replaying) rp_spin_lock(&s->lock);
  *a = v;
  if (p.t == &rp_nobody || rp_replaying) rp_spin_unlock(&s->lock);
  rp_atomic_end(p, OP_STORE, (u64)a, order, 4);
}
static int rp_wide_cas(u64 pc, volatile u128 *a, u128 *expected, u128 v, int order, int fail) {
  struct rp_stripe *s = rp_stripe((u64)a);
  struct rp_pending p = rp_atomic_begin(pc, (u64)a);
  if (p.t == &rp_nobody || rp_replaying) rp_spin_lock(&s->lock);
  u128 old = *a;
  int done = old == *expected;
  if (done) *a = v;
  if (p.t == &rp_nobody || rp_replaying) rp_spin_unlock(&s->lock);
  *expected = old;
  rp_atomic_end(p, done ? OP_UPDATE : OP_LOAD, (u64)a, done ? order : fail, 4);
  return done;
}
EXPORT int __tsan_atomic128_compare_exchange_strong(volatile u128 *a, u128 *e, u128 v, int order, int fail) {
  return rp_wide_cas(CALLER, a, e, v, order, fail);
}
EXPORT int __tsan_atomic128_compare_exchange_weak(volatile u128 *a, u128 *e, u128 v, int order, int fail) {
  return rp_wide_cas(CALLER, a, e, v, order, fail);
}
EXPORT u128 __tsan_atomic128_compare_exchange_val(volatile u128 *a, u128 e, u128 v, int order, int fail) {
  rp_wide_cas(CALLER, a, &e, v, order, fail);
  return e;
}
