/* The accesses that clang's thread instrumentation reports. */

/* Keeps the compiler from changing the order of stores around it; the processor keeps it anyway. */
#define IN_ORDER() atomic_signal_fence(memory_order_seq_cst)

static void rp_emit_entry(struct rp_thread *t, struct rp_entry *e) {
  if (e->count == 1) {
    u64 *at = rp_room(t, 2);
    at[1] = e->base;
    rp_put(t, at, 2, rp_word(TAG_ONE, e->site, e->first_k));
  } else {
    u64 *at = rp_room(t, 4);
    at[1] = e->base;
    at[2] = e->count | (u64)e->kstride << 32;
    at[3] = (u64)e->stride;
    rp_put(t, at, 4, rp_word(TAG_RUN, e->site, e->first_k));
  }
  e->count = 0;
  IN_ORDER();
}

/* k would overflow: everything is written out, and the count begins anew behind a record that says so. */
static __attribute__((noinline)) void rp_new_epoch(struct rp_thread *t) {
  if (t->busy) return;
  t->busy = 1;
  for (u32 e = 0; e < RP_CACHE; e++) {
    if (t->cache[e].count) rp_emit_entry(t, &t->cache[e]);
    t->cache[e].pc = 0;
  }
  t->k = 1;
  /* A module record without a path: k begins anew. */
  u64 *at = rp_room(t, 3);
  at[1] = at[2] = 0;
  rp_put(t, at, 3, rp_word(TAG_MODULE, 0, 0));
  t->busy = 0;
}

static __attribute__((noinline)) void rp_slow(struct rp_thread *t, struct rp_entry *e, u64 pc, u64 addr, u32 kind, u32 k) {
  if (t == &rp_nobody || t->busy) return;
  if (unlikely(rp_replaying)) return rp_stop_here(pc, addr, 1ull << (kind >> 4), kind & (KIND_READ | KIND_WRITE), k);
  t->busy = 1;
  if (e->pc == pc && e->ctx == t->ctx) {
    if (e->count == 1) {
      e->stride = (s64)(addr - e->base);
      e->kstride = k - e->first_k;
      e->next_addr = addr + (u64)e->stride;
      e->next_k = k + e->kstride;
      IN_ORDER();
      e->count = 2;
      t->busy = 0;
      return;
    }
    if (e->count) rp_emit_entry(t, e);
  } else {
    if (e->count) rp_emit_entry(t, e);
    e->pc = pc;
    e->ctx = t->ctx;
    e->site = rp_site(t, pc, kind);
  }
  e->base = addr;
  e->first_k = k;
  e->stride = 0;
  e->kstride = 1;
  IN_ORDER();
  e->count = 1;
  t->busy = 0;
}

static inline __attribute__((always_inline)) void rp_access(u64 pc, u64 addr, u32 kind) {
  struct rp_thread *t = rp_me();
  u32 k = t->k++;
  if (unlikely(k >> 31)) rp_new_epoch(t), k = t->k++;
  struct rp_entry *e = &t->cache[(pc ^ pc >> 10 ^ t->ctx * 0x9e5u) & (RP_CACHE - 1)];
  if (likely(e->next_addr == addr && e->pc == pc && e->next_k == k && e->ctx == t->ctx && e->count > 1)) {
    e->next_addr += (u64)e->stride;
    e->next_k += e->kstride;
    e->count++;
    return;
  }
  rp_slow(t, e, pc, addr, kind, k);
}

static __attribute__((noinline)) void rp_range(u64 pc, u64 addr, u64 bytes, u32 kind) {
  struct rp_thread *t = rp_me();
  if (t == &rp_nobody || t->busy || !bytes) return;
  if (unlikely(rp_replaying)) return rp_stop_here(pc, addr, bytes, kind, t->k++);
  t->busy = 1;
  u32 site = rp_site(t, pc, kind);
  u64 *at = rp_room(t, 3);
  at[1] = addr;
  at[2] = bytes;
  rp_put(t, at, 3, rp_word(TAG_RANGE, site, t->k++));
  t->busy = 0;
}

#define ACCESSES(size, log)                                                                                            \
  EXPORT void __tsan_read##size(void *a) { rp_access(CALLER, (u64)a, KIND_READ | log << 4); }                          \
  EXPORT void __tsan_write##size(void *a) { rp_access(CALLER, (u64)a, KIND_WRITE | log << 4); }                        \
  EXPORT void __tsan_read_write##size(void *a) { rp_access(CALLER, (u64)a, KIND_READ | KIND_WRITE | log << 4); }       \
  EXPORT void __tsan_unaligned_read##size(void *a) { rp_access(CALLER, (u64)a, KIND_READ | log << 4); }                \
  EXPORT void __tsan_unaligned_write##size(void *a) { rp_access(CALLER, (u64)a, KIND_WRITE | log << 4); }              \
  EXPORT void __tsan_unaligned_read_write##size(void *a) { rp_access(CALLER, (u64)a, KIND_READ | KIND_WRITE | log << 4); } \
  EXPORT void __tsan_volatile_read##size(void *a) { rp_access(CALLER, (u64)a, KIND_READ | log << 4); }                 \
  EXPORT void __tsan_volatile_write##size(void *a) { rp_access(CALLER, (u64)a, KIND_WRITE | log << 4); }               \
  EXPORT void __tsan_unaligned_volatile_read##size(void *a) { rp_access(CALLER, (u64)a, KIND_READ | log << 4); }       \
  EXPORT void __tsan_unaligned_volatile_write##size(void *a) { rp_access(CALLER, (u64)a, KIND_WRITE | log << 4); }
ACCESSES(1, 0)
ACCESSES(2, 1)
ACCESSES(4, 2)
ACCESSES(8, 3)
ACCESSES(16, 4)

EXPORT void __tsan_vptr_read(void **a) { rp_access(CALLER, (u64)a, KIND_READ | 3 << 4); }
/* Constructors and destructors set the pointer that is there already. */
EXPORT void __tsan_vptr_update(void **a, void *value) {
  if (*a != value) rp_access(CALLER, (u64)a, KIND_WRITE | 3 << 4);
}
EXPORT void __tsan_read_range(void *a, unsigned long n) { rp_range(CALLER, (u64)a, n, KIND_READ); }
EXPORT void __tsan_write_range(void *a, unsigned long n) { rp_range(CALLER, (u64)a, n, KIND_WRITE); }

EXPORT void *__tsan_memcpy(void *to, const void *from, unsigned long n) {
  rp_range(CALLER, (u64)from, n, KIND_READ);
  rp_range(CALLER, (u64)to, n, KIND_WRITE);
  return memcpy(to, from, n);
}
EXPORT void *__tsan_memmove(void *to, const void *from, unsigned long n) {
  rp_range(CALLER, (u64)from, n, KIND_READ);
  rp_range(CALLER, (u64)to, n, KIND_WRITE);
  return memmove(to, from, n);
}
EXPORT void *__tsan_memset(void *to, int value, unsigned long n) {
  rp_range(CALLER, (u64)to, n, KIND_WRITE);
  return memset(to, value, n);
}

EXPORT void __tsan_ignore_thread_begin(void) {}
EXPORT void __tsan_ignore_thread_end(void) {}
/* Said in the source: what is before a release of an address is before what comes after an acquisition of it. */
EXPORT void __tsan_acquire(void *a) { rp_sync(rp_me(), CALLER, OP_WAIT, (u64)a, 0, 0); }
EXPORT void __tsan_release(void *a) { rp_sync(rp_me(), CALLER, OP_NOTIFY, (u64)a, 0, 0); }
