/* Native replay: nothing is recorded; threads wait for their turn before they synchronise, and are held before the accesses
 * that they were brought to. What is not in the schedule of a strand comes after it: its thread is held there. */

extern void *__libc_malloc(size_t);

static int rp_replaying;
static struct rp_schedule *rp_schedule;
static struct rp_step *rp_steps;
static struct rp_strand *rp_strands;
static struct rp_decision *rp_decisions;

/* Where a strand is. */
struct rp_own {
  u32 number;
  u32 n;       /* operations that count so far */
  u32 k;       /* the clock behind the last of them; of a strand that nobody executes: the ticks since */
  u32 cursor;  /* the next step */
  u32 threads, regions, tasks; /* children so far */
  u32 decision, decisions; /* the next decision, and the end of them */
  u64 last;    /* address and place of the last atomic load, and the clock behind it */
  u64 last_pc;
  u32 last_k;
};
/* Of the thread itself, and of the strand that it executes. */
static _Thread_local struct rp_own rp_base __attribute__((tls_model("initial-exec")));
static _Thread_local struct rp_own *rp_now __attribute__((tls_model("initial-exec")));

static struct rp_stop *rp_stop_at(u32 i) { return (struct rp_stop *)((char *)rp_schedule + RP_STOPS_AT) + i; }

/* Until somebody ends the process. */
static void rp_hold(void) {
  for (;;) rp_pause(2000000);
}

static void rp_diverge(u32 op) {
  u32 runs = REPLAY_RUNS;
  rp_schedule->blamed = rp_now->number;
  rp_schedule->blamed_n = rp_now->n;
  rp_schedule->blamed_op = op;
  atomic_compare_exchange_strong(&rp_schedule->state, &runs, REPLAY_DIVERGED);
  rp_hold();
}

/* Whether the strand has a stop that it has not come to yet. */
static int rp_stop_ahead(void) {
  for (u32 i = 0; i < rp_schedule->stops; i++) {
    if (rp_stop_at(i)->strand == rp_now->number && rp_stop_at(i)->n >= rp_now->n) return 1;
  }
  return 0;
}

/* The thread is about to do something at its clock k. */
static void rp_stop_here(u64 pc, u64 address, u64 bytes, u32 kind, u32 k) {
  for (u32 i = 0; i < rp_schedule->stops; i++) {
    struct rp_stop *stop = rp_stop_at(i);
    if (stop->strand != rp_now->number || stop->n != rp_now->n || stop->k != k - rp_now->k) continue;
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
static void rp_turn(u32 op) {
  u32 s = rp_now->cursor;
  if (s == RP_NO_STEP) {
    if (!rp_stop_ahead()) rp_hold();
    return;
  }
  if (rp_steps[s].n != rp_now->n) return;
  if (op && rp_steps[s].op != op) rp_diverge(op);
  for (u32 i = 0; atomic_load(&rp_schedule->turn) < s; i++) {
    if (i < 200) rp_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
    else rp_pause(50000);
  }
}

static int rp_gated(u32 op) { return op >= OP_FORK && op <= OP_UPDATE && op != OP_BEGIN && op != OP_END && op != OP_BARRIER_LEFT; }

/* Whether an operation counts. */
static int rp_counts(u32 op) {
  return rp_gated(op) || (op >= OP_PARALLEL_BEGIN && op <= OP_REGION_END && op != OP_DEPENDENCE && op != OP_TASK_SCHEDULE) || op == OP_SINGLE ||
         op == OP_CHUNK;
}

/* The operation that counts has happened, or may. */
static void rp_done(struct rp_thread *t) {
  u32 s = rp_now->cursor;
  if (s != RP_NO_STEP && rp_steps[s].n == rp_now->n) {
    rp_now->cursor = rp_steps[s].next;
    atomic_store(&rp_schedule->turn, s + 1);
  }
  rp_now->n++;
  rp_now->k = ++t->k;
}

static void rp_replay_sync(struct rp_thread *t, u64 pc, u32 op, u64 object, u64 argument) {
  if (op == OP_FREE) rp_stop_here(pc, object, argument, KIND_WRITE, t->k);
  if (!rp_counts(op)) {
    int memory = op == OP_ALLOC || op == OP_FREE;
    int other = op == OP_DEAD_STACK || op == OP_TASK_SCHEDULE || op == OP_ASKED || op == OP_OWN_MEMORY;
    if (!other && !(memory && rp_quiet(pc))) t->k++;
    return;
  }
  if (rp_gated(op)) {
    rp_stop_here(pc, object, 1, KIND_SYNC, t->k);
    rp_turn(op);
  }
  rp_done(t);
}

/* Before something that is told afterwards, such as the acquisition of a lock. */
static void rp_replay_before(u64 pc, u32 op, u64 object) {
  struct rp_thread *t = rp_self;
  if (!t || t == &rp_nobody || t->busy || rp_in_omp(pc)) return;
  rp_stop_here(pc, object, 1, KIND_SYNC, t->k);
  rp_turn(op);
}

/* Whether an attempt that may fail did not in the recording: it is the thread's next step. */
static int rp_replay_tries(u64 pc, u32 op, u64 object) {
  struct rp_thread *t = rp_self;
  if (!t || t == &rp_nobody || t->busy || rp_in_omp(pc)) return 1;
  u32 s = rp_now->cursor;
  if (s != RP_NO_STEP && (rp_steps[s].n != rp_now->n || rp_steps[s].op != op)) return 0;
  rp_replay_before(pc, op, object);
  return 1;
}

/* An atomic access begins. Says whether it counts: a repeated load that the recording left out does not. */
static int rp_replay_atomic(struct rp_thread *t, u64 pc, u64 address) {
  rp_stop_here(pc, address, 1, KIND_SYNC, t->k);
  u32 s = rp_now->cursor;
  if (rp_now->last == address && rp_now->last_pc == pc && rp_now->last_k == t->k &&
      (s == RP_NO_STEP || rp_steps[s].n != rp_now->n || rp_steps[s].op != OP_LOAD)) return 0;
  rp_turn(0);
  return 1;
}

static void rp_replay_atomic_end(struct rp_thread *t, u64 pc, u64 address, u32 op) {
  rp_done(t);
  rp_now->last = op == OP_LOAD ? address : 0;
  rp_now->last_pc = pc;
  rp_now->last_k = t->k;
}

/* What OpenMP's runtime decided for this thread; 0 if nothing is replayed. It is not asked again: all threads of a team do without it. What comes
 * after the witness was not decided, and nobody needs the thread any more. */
static struct rp_decision *rp_decided(u64 pc, u32 op) {
  struct rp_thread *t = rp_self;
  if (likely(!rp_replaying) || !t || t == &rp_nobody || t->busy) return 0;
  if (rp_now->decision >= rp_now->decisions) {
    if (rp_stop_ahead()) rp_diverge(op);
    rp_hold();
  }
  struct rp_decision *decided = &rp_decisions[rp_now->decision++];
  if (decided->op != op || decided->flag & 4) rp_diverge(op);
  rp_replay_sync(t, pc, op, 0, 0);
  return decided;
}

/* Strands by who created them. */
static u32 *rp_strand_table, rp_strand_size;

static u64 rp_strand_hash(u32 parent, u32 kind, u32 index, u32 member) {
  return rp_mix((u64)parent << 32 | index, (u64)kind << 32 | member);
}

static int rp_index_strands(void) {
  u32 size = 64;
  while (size < 2 * rp_schedule->strands) size *= 2;
  rp_strand_table = rp_map(size * sizeof(u32), -1);
  if (!rp_strand_table) return 0;
  rp_strand_size = size;
  for (u32 i = 0; i < rp_schedule->strands; i++) {
    struct rp_strand *s = &rp_strands[i];
    u64 at = rp_strand_hash(s->parent, s->kind, s->index, s->member);
    while (rp_strand_table[at & (size - 1)]) at++;
    rp_strand_table[at & (size - 1)] = i + 1;
  }
  return 1;
}

/* 0: it has no part in the schedule. */
static struct rp_strand *rp_strand(u32 parent, u32 kind, u32 index, u32 member) {
  u64 at = rp_strand_hash(parent, kind, index, member);
  for (; rp_strand_table[at & (rp_strand_size - 1)]; at++) {
    struct rp_strand *s = &rp_strands[rp_strand_table[at & (rp_strand_size - 1)] - 1];
    if (s->parent == parent && s->kind == kind && s->index == index && s->member == member) return s;
  }
  return 0;
}

static struct rp_own rp_own_of(struct rp_strand *s) {
  struct rp_own own = {.number = RP_NO_STEP, .cursor = RP_NO_STEP};
  if (!s) return own;
  own.number = s->number;
  own.cursor = s->first;
  own.decision = s->decision;
  own.decisions = s + 1 < rp_strands + rp_schedule->strands ? s[1].decision : rp_schedule->decisions;
  return own;
}

/* A strand that the current one creates. */
static u64 rp_replay_new(u32 parent, u32 kind, u32 index, u32 member) {
  struct rp_own *own = __libc_malloc(sizeof *own);
  if (!own) return 0;
  *own = rp_own_of(rp_strand(parent, kind, index, member));
  return (u64)own;
}
static u64 rp_replay_task(void) {
  return rp_now ? rp_replay_new(rp_now->number, STRAND_TASK, rp_now->tasks++, 0) : 0;
}

/* A region: the strand that meets it, and which of its regions it is. */
struct rp_team {
  struct rp_own *by;
  u32 index;
};
static u64 rp_replay_team(void) {
  struct rp_team *team = rp_now ? __libc_malloc(sizeof *team) : 0;
  if (team) *team = (struct rp_team){rp_now, rp_now->regions++};
  return (u64)team;
}
static u64 rp_replay_member(struct rp_team *team, u32 member) {
  return team ? rp_replay_new(team->by->number, STRAND_IMPLICIT, team->index, member) : 0;
}

/* The thread executes this strand from now on; 0: none but itself. */
static void rp_replay_switch(struct rp_thread *t, u64 to) {
  struct rp_own *own = to ? (struct rp_own *)to : &rp_base;
  if (!rp_now || own == rp_now) return;
  rp_now->k = t->k - rp_now->k;
  own->k = t->k - own->k;
  rp_now = own;
}

/* The number of the thread that is created now. */
static u32 rp_replay_child(int own) {
  struct rp_strand *s = own ? rp_strand(rp_now->number, STRAND_THREAD, rp_now->threads++, 0)
                            : rp_strand(0, STRAND_FOREIGN, atomic_fetch_add(&rp_schedule->orphans, 1), 0);
  return s ? s->number : 1 << 24 | atomic_fetch_add(&rp_shared->threads, 1);
}

static void rp_replay_begins(struct rp_thread *t) {
  struct rp_strand *found = 0;
  for (u32 from = 0, to = rp_schedule->strands; from < to;) {
    u32 middle = (from + to) / 2;
    if (rp_strands[middle].number == t->number) {
      found = &rp_strands[middle];
      break;
    }
    if (rp_strands[middle].number < t->number) from = middle + 1;
    else to = middle;
  }
  rp_base = rp_own_of(found);
  rp_base.k = t->k;
  rp_now = &rp_base;
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
  rp_strands = (struct rp_strand *)((char *)schedule + RP_BODY_AT);
  rp_steps = (struct rp_step *)(rp_strands + schedule->strands);
  rp_decisions = (struct rp_decision *)(rp_steps + schedule->steps);
  if (!rp_index_strands()) return 0;
  atomic_store(&header->stop, 1);
  rp_shared = header;
  rp_replaying = 1;
  return 1;
}
