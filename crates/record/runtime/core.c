/* Attaching to the recorder, chunks, records, sites and calling contexts. */

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define EXPORT __attribute__((visibility("default")))
#define CALLER ((u64)__builtin_return_address(0))
#define ADDRESS 0xffffffffffffull

static struct rp_header *rp_shared;
/* What threads are when nothing is recorded: before attaching, without a recorder, in forked children. */
static struct rp_thread rp_nobody;
static _Thread_local struct rp_thread *rp_self __attribute__((tls_model("initial-exec")));
static _Thread_local u64 rp_scratch[8] __attribute__((tls_model("initial-exec")));
static _Thread_local u64 *rp_scratch_long __attribute__((tls_model("initial-exec")));
static _Atomic int rp_off = 1;

/* Functions called here never go through our own definitions. */
static long rp_syscall(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

static void *rp_map(u64 bytes, int fd) {
  int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED;
  long at = rp_syscall(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
  return at < 0 && at > -4096 ? 0 : (void *)at;
}

static void rp_pause(u64 nanoseconds) {
  struct timespec t = {0, (long)nanoseconds};
  rp_syscall(SYS_nanosleep, (long)&t, 0, 0, 0, 0, 0);
}

static struct rp_chunk *rp_chunk_info(u32 chunk) {
  return (struct rp_chunk *)((char *)rp_shared + RP_CHUNK_INFO) + chunk;
}

static u64 *rp_chunk_at(u32 chunk) {
  return (u64 *)((char *)rp_shared + RP_CHUNKS_AT + (u64)chunk * RP_CHUNK_BYTES);
}

/* Nothing of this thread is stored from now on. */
static void rp_lose(struct rp_thread *t) {
  t->lost_k = t->k;
  t->lost_seq = ~0ull;
  atomic_thread_fence(memory_order_release);
  t->lost = 1;
}

static int rp_recorder_lives(void) {
  return rp_syscall(SYS_kill, rp_shared->recorder, 0, 0, 0, 0, 0) != -ESRCH;
}

/* Gives the thread an empty chunk, waiting for the recorder if it must; 0 if recording is over. */
static int rp_take_chunk(struct rp_thread *t) {
  for (u32 round = 0;; round++) {
    if (atomic_load_explicit(&rp_shared->stop, memory_order_relaxed)) return 0;
    /* The first free one: chunks that were used before are in memory already. */
    for (u32 chunk = 0; chunk < RP_CHUNKS; chunk++) {
      u32 free = CHUNK_FREE;
      struct rp_chunk *info = rp_chunk_info(chunk);
      if (atomic_load_explicit(&info->state, memory_order_relaxed) != CHUNK_FREE) continue;
      if (!atomic_compare_exchange_strong(&info->state, &free, CHUNK_TAKEN)) continue;
      info->thread = t->number;
      info->index = t->chunks++;
      t->chunk = chunk;
      t->at = rp_chunk_at(chunk);
      t->end = t->at + RP_CHUNK_BYTES / 8;
      return 1;
    }
    atomic_fetch_add_explicit(&rp_shared->waited, 1, memory_order_relaxed);
    if (round % 64 == 63 && !rp_recorder_lives()) return 0;
    rp_pause(200000);
  }
}

static void rp_give_chunk(struct rp_thread *t) {
  if (!t->at) return;
  t->at = t->end = 0;
  atomic_store_explicit(&rp_chunk_info(t->chunk)->state, CHUNK_FULL, memory_order_release);
}

/* Room for a record. Word 0 must be written last: a record whose first word is zero does not exist. */
static u64 *rp_room(struct rp_thread *t, u32 words) {
  if (likely(t->at + words <= t->end)) return t->at;
  if (t == &rp_nobody || t->lost) return words <= 8 ? rp_scratch : rp_scratch_long;
  rp_give_chunk(t);
  if (rp_take_chunk(t)) return t->at;
  rp_lose(t);
  return words <= 8 ? rp_scratch : rp_scratch_long;
}

static void rp_put(struct rp_thread *t, u64 *at, u32 words, u64 first) {
  atomic_thread_fence(memory_order_release);
  *(volatile u64 *)at = first;
  if (likely(at == t->at)) t->at = at + words;
}

static u64 rp_word(u32 tag, u32 site, u32 k) { return tag | (u64)site << 8 | (u64)k << 32; }

/* The next global number, for a record that has its room already. */
static u64 rp_next(struct rp_thread *t) {
  if (unlikely(t == &rp_nobody)) return 0;
  u64 seq = atomic_fetch_add(&rp_shared->seq, 1);
  if (unlikely(t->lost) && t->lost_seq == ~0ull) t->lost_seq = seq;
  return seq;
}

/* ---- sites and contexts: tables of the process, shared by its threads ---- */

#define SITES (1u << 20)
#define CONTEXTS (1u << 16)
#define MOST_SITES (SITES / 4 * 3)
#define MOST_CONTEXTS (CONTEXTS / 4 * 3)

struct rp_site {
  _Atomic u64 key; /* code address and kind */
  u32 ctx;
  u32 id;
};
static struct rp_site *rp_sites, *rp_contexts;
static u32 rp_site_count = 1, rp_context_count = 1;
static _Atomic int rp_tables_lock;

static void rp_spin_lock(_Atomic int *lock) {
  for (u32 i = 0; atomic_exchange_explicit(lock, 1, memory_order_acquire); i++) {
    if (i % 64 == 63) rp_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  }
}

static void rp_spin_unlock(_Atomic int *lock) { atomic_store_explicit(lock, 0, memory_order_release); }

static u64 rp_mix(u64 a, u64 b) {
  u64 h = (a ^ b * 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;
  return h ^ h >> 32;
}

/* The number of (key, ctx) in a table; a new one is announced in the thread's chunk. 0 if the table is full. */
static u32 rp_lookup(struct rp_thread *t, struct rp_site *table, u32 size, u64 key, u32 ctx) {
  u64 h = rp_mix(key, ctx);
  for (u32 i = 0; i < size; i++) {
    struct rp_site *s = &table[(h + i) & (size - 1)];
    u64 found = atomic_load_explicit(&s->key, memory_order_acquire);
    if (found == key && s->ctx == ctx) return s->id;
    if (found) continue;
    rp_spin_lock(&rp_tables_lock);
    if (atomic_load_explicit(&s->key, memory_order_relaxed)) {
      /* Somebody was faster: look at this place again. */
      rp_spin_unlock(&rp_tables_lock);
      i--;
      continue;
    }
    int sites = table == rp_sites;
    u32 *count = sites ? &rp_site_count : &rp_context_count;
    u32 id = *count >= (sites ? MOST_SITES : MOST_CONTEXTS) ? 0 : (*count)++;
    if (id) {
      s->ctx = ctx;
      s->id = id;
      atomic_store_explicit(&s->key, key, memory_order_release);
    }
    rp_spin_unlock(&rp_tables_lock);
    if (id) {
      u64 *at = rp_room(t, 3);
      at[1] = sites ? key : ctx;
      at[2] = sites ? ctx : key & ADDRESS;
      rp_put(t, at, 3, rp_word(sites ? TAG_SITE : TAG_CONTEXT, id, 0));
    }
    return id;
  }
  return 0;
}

/* What the thread has looked up last: most synchronisation is at few places. */
struct rp_known_site {
  u64 key;
  u32 ctx, id;
};
static _Thread_local struct rp_known_site rp_known_sites[64] __attribute__((tls_model("initial-exec")));

/* The site of this code address in the thread's context, or without one if there are too many. */
static u32 rp_site(struct rp_thread *t, u64 pc, u32 kind) {
  if (t == &rp_nobody) return 0;
  u64 key = (pc & ADDRESS) | (u64)kind << 48;
  struct rp_known_site *known = &rp_known_sites[(pc ^ pc >> 6 ^ t->ctx * 5) & 63];
  if (likely(known->key == key && known->ctx == t->ctx)) return known->id;
  u32 id = rp_lookup(t, rp_sites, SITES, key, t->ctx);
  if (!id && t->ctx) id = rp_lookup(t, rp_sites, SITES, key, 0);
  if (id) *known = (struct rp_known_site){key, t->ctx, id};
  return id;
}

/* Small: it is part of every thread's stack. */
#define DEPTH 256
/* Deeper calls share the context of this depth. */
#define CONTEXT_DEPTH 48
struct rp_call {
  char *frame;
  u32 ctx;
};
static _Thread_local struct rp_call rp_calls[DEPTH] __attribute__((tls_model("initial-exec")));
static _Thread_local u32 rp_depth __attribute__((tls_model("initial-exec")));

struct rp_known_call {
  u64 pc;
  u32 parent, ctx;
};
static _Thread_local struct rp_known_call rp_known_calls[64] __attribute__((tls_model("initial-exec")));

static u32 rp_context(struct rp_thread *t, u64 pc) {
  struct rp_known_call *known = &rp_known_calls[rp_mix(pc, t->ctx) & 63];
  if (likely(known->pc == pc && known->parent == t->ctx)) return known->ctx;
  if (t->busy) return t->ctx;
  t->busy = 1;
  u32 ctx = rp_lookup(t, rp_contexts, CONTEXTS, pc & ADDRESS, t->ctx);
  t->busy = 0;
  if (!ctx) return t->ctx;
  *known = (struct rp_known_call){pc, t->ctx, ctx};
  return ctx;
}

static int rp_replaying;
static struct rp_schedule *rp_schedule;
static int rp_replay_attach(void);
static void rp_replay_begins(struct rp_thread *t);
static void rp_replay_sync(struct rp_thread *t, u64 pc, u32 op, u64 object, u64 argument);

static struct rp_thread *rp_begin(void);
static inline struct rp_thread *rp_me(void) {
  struct rp_thread *t = rp_self;
  return likely(t != 0) ? t : rp_begin();
}

EXPORT void __tsan_func_entry(void *call) {
  struct rp_thread *t = rp_me();
  if (t == &rp_nobody) return;
  char *frame = __builtin_frame_address(0);
  /* Frames that a longjmp has left are below this one. */
  while (rp_depth && rp_depth <= DEPTH && rp_calls[rp_depth - 1].frame <= frame) t->ctx = rp_calls[--rp_depth].ctx;
  u32 depth = rp_depth++;
  if (depth >= DEPTH) return;
  rp_calls[depth] = (struct rp_call){frame, t->ctx};
  if (depth < CONTEXT_DEPTH) t->ctx = rp_context(t, (u64)call);
}

EXPORT void __tsan_func_exit(void) {
  struct rp_thread *t = rp_self;
  if (unlikely(!t || t == &rp_nobody || !rp_depth)) return;
  if (--rp_depth < DEPTH) t->ctx = rp_calls[rp_depth].ctx;
}

/* ---- threads ---- */

static struct rp_thread *rp_slot(u32 slot) {
  return (struct rp_thread *)((char *)rp_shared + RP_THREADS_AT) + slot;
}

/* Begins to record a thread under this number. */
static struct rp_thread *rp_enter(u32 number) {
  for (u32 i = 0; i < RP_SLOTS; i++) {
    struct rp_thread *t = rp_slot((number + i) % RP_SLOTS);
    u32 free = SLOT_FREE;
    if (!atomic_compare_exchange_strong(&t->state, &free, SLOT_LIVE)) continue;
    t->number = number;
    t->k = 1;
    t->ctx = 0;
    t->at = t->end = 0;
    t->chunks = 0;
    t->busy = 0;
    t->lost_seq = 0;
    t->lost = 0;
    for (u32 e = 0; e < RP_CACHE; e++) t->cache[e].pc = t->cache[e].count = 0;
    rp_depth = 0;
    __builtin_memset(rp_known_calls, 0, sizeof rp_known_calls);
    if (!rp_take_chunk(t)) rp_lose(t);
    rp_self = t;
    if (unlikely(rp_replaying)) rp_replay_begins(t);
    return t;
  }
  if (!atomic_fetch_add(&rp_shared->no_slot, 1)) rp_shared->no_slot_seq = atomic_load(&rp_shared->seq);
  rp_self = &rp_nobody;
  return &rp_nobody;
}

static void rp_emit_entry(struct rp_thread *t, struct rp_entry *e);

/* The thread's last records; its slot is free for others. A thread that has lost something keeps it, so that what is missing is known. */
static void rp_leave(struct rp_thread *t) {
  for (u32 e = 0; e < RP_CACHE; e++) {
    if (t->cache[e].count) rp_emit_entry(t, &t->cache[e]);
  }
  rp_give_chunk(t);
  rp_self = &rp_nobody;
  if (!t->lost) atomic_store_explicit(&t->state, SLOT_FREE, memory_order_release);
}

static void rp_sync(struct rp_thread *t, u64 pc, u32 op, u64 object, u64 argument, u32 flag) {
  if (unlikely(t == &rp_nobody || t->busy)) return;
  if (unlikely(rp_replaying)) return rp_replay_sync(t, pc, op, object, argument);
  t->busy = 1;
  u32 site = rp_site(t, pc, KIND_SYNC);
  u32 k = t->k++;
  u64 *at = rp_room(t, 4);
  at[1] = rp_next(t);
  at[2] = (object & ADDRESS) | (u64)op << 48 | (u64)flag << 56;
  at[3] = argument;
  rp_put(t, at, 4, rp_word(TAG_SYNC, site, k));
  t->busy = 0;
}

/* ---- modules ---- */

static int rp_module(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  struct rp_thread *t = data;
  u64 end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    u64 last = info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    if (info->dlpi_phdr[i].p_type == PT_LOAD && last > end) end = last;
  }
  const char *path = info->dlpi_name;
  static char own[512];
  if (!path || !*path) {
    long length = rp_syscall(SYS_readlink, (long)"/proc/self/exe", (long)own, sizeof own - 1, 0, 0, 0);
    if (length <= 0 || end == 0) return 0;
    own[length] = 0;
    path = own;
  }
  u32 length = 0;
  while (path[length] && length < 4000) length++;
  u32 words = 3 + (length + 7) / 8;
  static u64 nowhere[600];
  rp_scratch_long = nowhere;
  u64 *at = rp_room(t, words);
  at[1] = info->dlpi_addr;
  at[2] = info->dlpi_addr + end;
  at[words - 1] = 0;
  __builtin_memcpy(at + 3, path, length);
  rp_put(t, at, words, rp_word(TAG_MODULE, length, 0));
  return 0;
}

static void rp_modules(struct rp_thread *t) {
  if (t == &rp_nobody || t->busy) return;
  t->busy = 1;
  dl_iterate_phdr(rp_module, t);
  t->busy = 0;
}

/* Whether code at this address belongs to the OpenMP runtime, whose own locks are not the program's. */
static u64 rp_omp_from, rp_omp_to;
static int rp_find_omp(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size, (void)data;
  const char *name = info->dlpi_name;
  if (!name || (!strstr(name, "libomp") && !strstr(name, "libiomp") && !strstr(name, "libarcher"))) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    u64 last = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    if (info->dlpi_phdr[i].p_type == PT_LOAD && last > rp_omp_to) rp_omp_to = last;
  }
  rp_omp_from = info->dlpi_addr;
  return 1;
}
static inline int rp_in_omp(u64 pc) { return pc >= rp_omp_from && pc < rp_omp_to; }

/* Whether it belongs to that or to the C library: who asks for memory there depends on who comes first. */
static u64 rp_libc_from, rp_libc_to;
static int rp_find_libc(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size, (void)data;
  const char *name = info->dlpi_name ? strrchr(info->dlpi_name, '/') : 0;
  if (!name || strncmp(name, "/libc.so", 8)) return 0;
  rp_libc_from = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    u64 last = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    if (info->dlpi_phdr[i].p_type == PT_LOAD && last > rp_libc_to) rp_libc_to = last;
  }
  return 1;
}
static inline int rp_quiet(u64 pc) { return rp_in_omp(pc) || (pc >= rp_libc_from && pc < rp_libc_to); }

/* The thread-local variables of the calling thread. */
static int rp_own_memory(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  for (int i = 0; i < info->dlpi_phnum && info->dlpi_tls_data; i++) {
    if (info->dlpi_phdr[i].p_type != PT_TLS) continue;
    rp_sync(data, 0, OP_OWN_MEMORY, (u64)info->dlpi_tls_data, info->dlpi_phdr[i].p_memsz, 0);
  }
  return 0;
}

/* ---- the beginning ---- */

static void rp_resolve(void);
static pthread_key_t rp_ends;
static void rp_thread_ends(void *rounds);

static void rp_forked_child(void) {
  /* The memory belongs to the parent: a child is not recorded. */
  atomic_store(&rp_off, 1);
  rp_self = &rp_nobody;
}

/* There is memory to write to: the first thread begins. */
static void rp_attached(void) {
  rp_sites = rp_map(SITES * sizeof(struct rp_site), -1);
  rp_contexts = rp_map(CONTEXTS * sizeof(struct rp_site), -1);
  if (!rp_sites || !rp_contexts) return;
  dl_iterate_phdr(rp_find_omp, 0);
  dl_iterate_phdr(rp_find_libc, 0);
  pthread_key_create(&rp_ends, rp_thread_ends);
  pthread_atfork(0, 0, rp_forked_child);
  struct rp_thread *t = rp_enter(atomic_fetch_add(&rp_shared->threads, 1));
  atomic_store(&rp_off, 0);
  rp_modules(t);
  rp_sync(t, 0, OP_BEGIN, 0, 0, 0);
  dl_iterate_phdr(rp_own_memory, t);
  pthread_setspecific(rp_ends, (void *)1);
}

static void rp_attach(void) {
  static _Atomic int begun;
  if (atomic_exchange(&begun, 1)) return;
  rp_resolve();
  if (rp_replay_attach()) return rp_attached();
  const char *path = getenv("RACEPROOF_RECORD_TO");
  if (!path) return;
  int fd = (int)rp_syscall(SYS_open, (long)path, O_RDWR | O_CLOEXEC, 0, 0, 0, 0);
  if (fd < 0) return;
  struct rp_header *header = rp_map(RP_BYTES, fd);
  rp_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
  if (!header) return;
  u32 nobody = 0;
  if (header->magic != RP_MAGIC || atomic_load(&header->stop)) return;
  if (!atomic_compare_exchange_strong(&header->pid, &nobody, (u32)rp_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0))) {
    atomic_fetch_add(&header->others, 1);
    return;
  }
  rp_shared = header;
  rp_attached();
}

/* A thread that has not been seen yet: the first one, or one that nobody of us created. */
static struct rp_thread *rp_begin(void) {
  rp_attach();
  if (rp_self) return rp_self;
  if (atomic_load(&rp_off)) return &rp_nobody;
  struct rp_thread *t = rp_enter(atomic_fetch_add(&rp_shared->threads, 1));
  rp_sync(t, 0, OP_BEGIN, 0, 0, 0);
  pthread_setspecific(rp_ends, (void *)1);
  return t;
}

EXPORT void __tsan_init(void) { rp_attach(); }
__attribute__((constructor(101))) static void rp_constructor(void) { rp_attach(); }
