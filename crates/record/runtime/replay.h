/* What `raceproof replay` shares with a program that it brings to two accesses. `crates/record/src/native.rs` has the same
 * numbers.
 *
 *   0                    struct rp_schedule
 *   RP_STOPS_AT          struct rp_stop, RP_STOPS of them
 *   RP_BODY_AT           struct rp_child for each thread, then struct rp_step for each step, then struct rp_decision for each
 *
 * A thread's synchronisation is counted by n (memory and ends of things do not count); k is the clock of a recording. A step is
 * an operation that has its turn: the n-th of a thread, after all steps before it. A stop is a place before which a thread is held: k
 * is counted from the last operation that counts. A decision is what OpenMP's runtime has decided for a thread in the recording: in the order of
 * the thread, until its last step or stop. */
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
  u32 steps, stops, threads;
  _Atomic u32 orphans;         /* threads without a parent that have begun */
  _Atomic u32 blamed;          /* the thread that left the schedule, */
  _Atomic u32 blamed_n;        /* where, */
  _Atomic u32 blamed_op;       /* and with what */
  u32 decisions;
};

struct rp_stop {
  u32 thread, n, k, pad;
  _Atomic u64 address;         /* what the thread is about to access, once it is there */
  _Atomic u64 bytes;
  _Atomic u64 pc;
  _Atomic u32 kind;            /* KIND_READ, KIND_WRITE, KIND_SYNC */
  _Atomic u32 task;            /* the system's number of the thread */
  u64 more[2];
};

struct rp_child {
  u32 parent, index;           /* whose child, and which of them; RP_NO_STEP: of the OpenMP runtime */
  u32 first;                   /* its first step */
  u32 decision;                /* its first decision; those of the next thread follow */
};

struct rp_step {
  u32 thread, n, op;
  u32 next;                    /* the thread's next step */
};

struct rp_decision {
  u64 first, more;             /* of OP_CHUNK: the first iteration, and how many follow it */
  u32 op, flag;                /* as in the record */
};

_Static_assert(sizeof(struct rp_schedule) <= RP_STOPS_AT && sizeof(struct rp_stop) == 64, "as in native.rs");
_Static_assert(sizeof(struct rp_child) == 16 && sizeof(struct rp_step) == 16 && sizeof(struct rp_decision) == 24, "as in native.rs");

#endif
