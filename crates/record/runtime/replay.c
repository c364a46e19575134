/* Native replay: nothing is recorded; threads wait for their turn before they synchronise, and are held before the accesses
 * that they were brought to. What is not in the schedule of a thread comes after it: the thread is held there. */

static int rp_replaying;
static struct rp_schedule *rp_schedule;
static struct rp_step *rp_steps;
static struct rp_child *rp_children;
static struct rp_decision *rp_decisions;

struct rp_own {
  u32 n;       /* operations that count so far */
  u32 k;       /* the clock at the last of them */
  u32 cursor;  /* the next step */
  u32 forks;   /* children so far */
  u32 decision, decisions; /* the next decision, and the end of them */
  u64 last;    /* address and place of the last atomic load, and the clock behind it */
  u64 last_pc;
  u32 last_k;
};
static _Thread_local struct rp_own rp_own __attribute__((tls_model("initial-exec")));

static struct rp_stop *rp_stop_at(u32 i) { return (struct rp_stop *)((char *)rp_schedule + RP_STOPS_AT) + i; }

/* Until somebody ends the process. */
static void rp_hold(void) {
  for (;;) rp_pause(2000000);
}

static void rp_diverge(u32 op) {
  u32 runs = REPLAY_RUNS;
  rp_schedule->blamed = rp_self->number;
  rp_schedule->blamed_n = rp_own.n;
  rp_schedule->blamed_op = op;
  atomic_compare_exchange_strong(&rp_schedule->state, &runs, REPLAY_DIVERGED);
  rp_hold();
}

/* Whether the thread has a stop that it has not come to yet. */
static int rp_stop_ahead(struct rp_thread *t) {
  for (u32 i = 0; i < rp_schedule->stops; i++) {
    if (rp_stop_at(i)->thread == t->number && rp_stop_at(i)->n >= rp_own.n) return 1;
  }
  return 0;
}

/* The thread is about to do something at its clock k. */
static void rp_stop_here(struct rp_thread *t, u64 pc, u64 address, u64 bytes, u32 kind, u32 k) {
  for (u32 i = 0; i < rp_schedule->stops; i++) {
    struct rp_stop *stop = rp_stop_at(i);
    if (stop->thread != t->number || stop->n != rp_own.n || stop->k != k - rp_own.k) continue;
    stop->address = address;
    stop->bytes = bytes;
    stop->pc = pc;
    stop->kind = kind;
    stop->task = (u32)rp_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
    if (atomic_fetch_add(&rp_schedule->arrived, 1) + 1 == rp_schedule->stops) {
      u32 runs = REPLAY_RUNS;
      atomic_compare_exchange_strong(&rp_schedule->state, &runs, REPLAY_THERE);
    }
    rp_hold();
  }
}

/* Before an operation that counts: waits for the thread's turn. Operation 0 is any. */
static void rp_turn(struct rp_thread *t, u32 op) {
  u32 s = rp_own.cursor;
  if (s == RP_NO_STEP) {
    if (!rp_stop_ahead(t)) rp_hold();
    return;
  }
  if (rp_steps[s].n != rp_own.n) return;
  if (op && rp_steps[s].op != op) rp_diverge(op);
  for (u32 i = 0; atomic_load(&rp_schedule->turn) < s; i++) {
    if (i < 200) rp_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
    else rp_pause(50000);
  }
}

static int rp_gated(u32 op) { return op >= OP_FORK && op <= OP_UPDATE && op != OP_BEGIN && op != OP_END && op != OP_BARRIER_LEFT; }

/* Whether an operation counts. */
static int rp_counts(u32 op) {
  return rp_gated(op) || (op >= OP_PARALLEL_BEGIN && op <= OP_REGION_END && op != OP_DEPENDENCE) || op == OP_SINGLE ||
         op == OP_CHUNK;
}

/* The operation that counts has happened, or may. */
static void rp_done(struct rp_thread *t) {
  u32 s = rp_own.cursor;
  if (s != RP_NO_STEP && rp_steps[s].n == rp_own.n) {
    rp_own.cursor = rp_steps[s].next;
    atomic_store(&rp_schedule->turn, s + 1);
  }
  rp_own.n++;
  rp_own.k = t->k++;
}

static void rp_replay_sync(struct rp_thread *t, u64 pc, u32 op, u64 object, u64 argument) {
  if (op == OP_FREE) rp_stop_here(t, pc, object, argument, KIND_WRITE, t->k);
  if (!rp_counts(op)) {
    t->k++;
    return;
  }
  if (rp_gated(op)) {
    rp_stop_here(t, pc, object, 1, KIND_SYNC, t->k);
    rp_turn(t, op);
  }
  rp_done(t);
}

/* Before something that is told afterwards, such as the acquisition of a lock. */
static void rp_replay_before(u64 pc, u32 op, u64 object) {
  struct rp_thread *t = rp_self;
  if (!t || t == &rp_nobody || t->busy || rp_in_omp(pc)) return;
  rp_stop_here(t, pc, object, 1, KIND_SYNC, t->k);
  rp_turn(t, op);
}

/* Whether an attempt that may fail did not in the recording: it is the thread's next step. */
static int rp_replay_tries(u64 pc, u32 op, u64 object) {
  struct rp_thread *t = rp_self;
  if (!t || t == &rp_nobody || t->busy || rp_in_omp(pc)) return 1;
  u32 s = rp_own.cursor;
  if (s != RP_NO_STEP && (rp_steps[s].n != rp_own.n || rp_steps[s].op != op)) return 0;
  rp_replay_before(pc, op, object);
  return 1;
}

/* An atomic access begins. Says whether it counts: a repeated load that the recording left out does not. */
static int rp_replay_atomic(struct rp_thread *t, u64 pc, u64 address) {
  rp_stop_here(t, pc, address, 1, KIND_SYNC, t->k);
  u32 s = rp_own.cursor;
  if (rp_own.last == address && rp_own.last_pc == pc && rp_own.last_k == t->k &&
      (s == RP_NO_STEP || rp_steps[s].n != rp_own.n || rp_steps[s].op != OP_LOAD)) return 0;
  rp_turn(t, 0);
  return 1;
}

static void rp_replay_atomic_end(struct rp_thread *t, u64 pc, u64 address, u32 op) {
  rp_done(t);
  rp_own.last = op == OP_LOAD ? address : 0;
  rp_own.last_pc = pc;
  rp_own.last_k = t->k;
}

/* What OpenMP's runtime decided for this thread; 0 if nothing is replayed. It is not asked again: all threads of a team do without it. What comes
 * after the witness was not decided, and nobody needs the thread any more. */
static struct rp_decision *rp_decided(u64 pc, u32 op) {
  struct rp_thread *t = rp_self;
  if (likely(!rp_replaying) || !t || t == &rp_nobody || t->busy) return 0;
  if (rp_own.decision >= rp_own.decisions) {
    if (rp_stop_ahead(t)) rp_diverge(op);
    rp_hold();
  }
  struct rp_decision *decided = &rp_decisions[rp_own.decision++];
  if (decided->op != op || decided->flag & 4) rp_diverge(op);
  rp_replay_sync(t, pc, op, 0, 0);
  return decided;
}

/* The number of the child that a thread creates now. */
static u32 rp_replay_child(struct rp_thread *t, int own) {
  u32 index = own ? rp_own.forks++ : atomic_fetch_add(&rp_schedule->orphans, 1);
  u32 parent = own ? t->number : RP_NO_STEP;
  for (u32 i = 0; i < rp_schedule->threads; i++) {
    if (rp_children[i].parent == parent && rp_children[i].index == index) return i;
  }
  return rp_schedule->threads + atomic_fetch_add(&rp_shared->threads, 1);
}

static void rp_replay_begins(struct rp_thread *t) {
  u32 number = t->number;
  rp_own = (struct rp_own){0};
  rp_own.cursor = number < rp_schedule->threads ? rp_children[number].first : RP_NO_STEP;
  if (number >= rp_schedule->threads) return;
  rp_own.decision = rp_children[number].decision;
  rp_own.decisions = number + 1 < rp_schedule->threads ? rp_children[number + 1].decision : rp_schedule->decisions;
}

/* Reads the schedule, if there is one; the program then records into memory of its own, which nobody looks at. */
static int rp_replay_attach(void) {
  const char *path = getenv("RACEPROOF_REPLAY");
  if (!path) return 0;
  int fd = (int)rp_syscall(SYS_open, (long)path, O_RDWR | O_CLOEXEC, 0, 0, 0, 0);
  if (fd < 0) return 0;
  struct rp_schedule *head = rp_map(4096, fd);
  if (!head || head->magic != RP_REPLAY_MAGIC) return 0;
  struct rp_schedule *schedule = rp_map(head->bytes, fd);
  rp_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
  struct rp_header *header = rp_map(RP_BYTES, -1);
  u32 nobody = 0;
  if (!schedule || !header) return 0;
  if (!atomic_compare_exchange_strong(&schedule->pid, &nobody, (u32)rp_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0))) return 0;
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  rp_schedule = schedule;
  rp_children = (struct rp_child *)((char *)schedule + RP_BODY_AT);
  rp_steps = (struct rp_step *)(rp_children + schedule->threads);
  rp_decisions = (struct rp_decision *)(rp_steps + schedule->steps);
  atomic_store(&header->stop, 1);
  rp_shared = header;
  rp_replaying = 1;
  return 1;
}
