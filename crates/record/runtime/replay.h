/* What `raceproof replay` shares with a program that it brings to two accesses. `crates/record/src/native.rs` has the same
 * numbers.
 *
 *   0                    struct rp_schedule
 *   RP_STOPS_AT          struct rp_stop, RP_STOPS of them
 *   RP_BODY_AT           struct rp_strand for each strand by number, then struct rp_step for each step, then struct rp_decision for each
 *
 * A strand is a thread of the program, an implicit or an explicit task of OpenMP (`crates/record/src/places.rs`). Its synchronisation is
 * counted by n; everything else that the program itself does has one tick. A step is an operation that has its turn: the n-th of a
 * strand, after all steps before it. A stop is a place before which a strand is held: k ticks after the last operation that
 * counts. A decision is what OpenMP's runtime has decided for a strand in the recording: in the order of the strand, until its last step or
 * stop. */
#ifndef RP_REPLAY_H
#define RP_REPLAY_H

#include "layout.h"

#define RP_REPLAY_MAGIC 0x3159414c50455252ull
#define RP_STOPS 16
#define RP_STOPS_AT 128
#define RP_BODY_AT (RP_STOPS_AT + RP_STOPS * sizeof(struct rp_stop))
#define RP_NO_STEP 0xffffffffu

enum { REPLAY_RUNS = 0, REPLAY_THERE, REPLAY_DIVERGED };

struct rp_schedule {
  u64 magic;
  u64 bytes;                   /* of the whole */
  _Atomic u32 state;
  _Atomic u32 turn;            /* the next step */
  _Atomic u32 pid;             /* the process; 0: none yet */
  _Atomic u32 arrived;         /* how many threads stand at their stops */
  u32 steps, stops, strands;
  _Atomic u32 orphans;         /* threads without a parent that have begun */
  _Atomic u32 blamed;          /* the strand that left the schedule, */
  _Atomic u32 blamed_n;        /* where, */
  _Atomic u32 blamed_op;       /* and with what */
  u32 decisions;
};

struct rp_stop {
  u32 strand, n, k, pad;
  _Atomic u64 address;         /* what the thread is about to access, once it is there */
  _Atomic u64 bytes;
  _Atomic u64 pc;
  _Atomic u32 kind;            /* KIND_READ, KIND_WRITE, KIND_SYNC */
  _Atomic u32 task;            /* the system's number of the thread */
  u64 more[2];
};

/* How a strand came to be. */
enum { STRAND_FIRST = 0, STRAND_THREAD, STRAND_FOREIGN, STRAND_IMPLICIT, STRAND_TASK };

struct rp_strand {
  u32 number;
  u32 parent, kind, index;     /* whose child, of which kind, which of them; of an implicit task which of the parent's regions, */
  u32 member;                  /* and which member of the team */
  u32 first;                   /* its first step */
  u32 decision;                /* its first decision; those of the next strand follow */
  u32 pad;
};

struct rp_step {
  u32 strand, n, op;
  u32 next;                    /* the strand's next step */
};

struct rp_decision {
  u64 first, more;             /* of OP_CHUNK: the first iteration, and how many follow it */
  u32 op, flag;                /* as in the record */
};

_Static_assert(sizeof(struct rp_schedule) <= RP_STOPS_AT && sizeof(struct rp_stop) == 64, "as in native.rs");
_Static_assert(sizeof(struct rp_strand) == 32 && sizeof(struct rp_step) == 16 && sizeof(struct rp_decision) == 24, "as in native.rs");

#endif
