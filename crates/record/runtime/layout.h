/* The memory that a recorded program shares with `raceproof record`, and the records in it.
 *
 * The program's threads write, `raceproof record` reads, packs and stores. Everything that a thread has written is in
 * this memory and survives the program, however it ends. `crates/record/src/layout.rs` has the same numbers.
 *
 *   0                 struct rp_header
 *   RP_CHUNK_INFO     struct rp_chunk, RP_CHUNKS of them
 *   RP_THREADS_AT     struct rp_thread, RP_SLOTS of them
 *   RP_CHUNKS_AT      chunks of RP_CHUNK_BYTES, RP_CHUNKS of them
 *
 * A chunk belongs to one thread at a time and holds records of 8-byte words; the first zero word ends it. Records:
 *
 *   word 0   bits 0-7 the tag, 8-31 the site, 32-63 the thread's clock k
 *   SITE     word 1: bits 0-47 the code address, 48-63 the kind; word 2: the context
 *   CONTEXT  (the number in place of the site) word 1: the parent's number; word 2: code address of the call
 *   ONE      an access. word 1: address
 *   RUN      word 1: address of the first; word 2: bits 0-31 how many, 32-63 step of k; word 3: step of the address
 *   RANGE    word 1: address; word 2: how many bytes
 *   SYNC     word 1: the global number; word 2: bits 0-47 the object, 48-55 the operation, 56-63 a flag; word 3: argument
 *   MODULE   (the length of the path in bytes in place of the site) word 1: load address; word 2: end; then the path
 *
 * k counts what a thread does, so that accesses can be put back into the order of the program. The global number orders
 * synchronisation of all threads: taken after an acquisition and before a release.
 */
#ifndef RP_LAYOUT_H
#define RP_LAYOUT_H

#include <stdatomic.h>
#include <stdint.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef int64_t s64;

#define RP_MAGIC 0x3143455250524352ull
#define RP_CHUNKS 2048
#define RP_CHUNK_BYTES 65536
#define RP_SLOTS 2048
#define RP_CACHE 1024
#define RP_CHUNK_INFO 4096
#define RP_THREADS_AT (RP_CHUNK_INFO + RP_CHUNKS * sizeof(struct rp_chunk))
#define RP_CHUNKS_AT (RP_THREADS_AT + RP_SLOTS * sizeof(struct rp_thread))
#define RP_BYTES (RP_CHUNKS_AT + (u64)RP_CHUNKS * RP_CHUNK_BYTES)

enum { TAG_SITE = 1, TAG_CONTEXT, TAG_ONE, TAG_RUN, TAG_RANGE, TAG_SYNC, TAG_MODULE };

/* Bits of a site's kind; the binary logarithm of the access's size is in bits 4-7. */
enum { KIND_WRITE = 1, KIND_READ = 2, KIND_SYNC = 4 };

/* Operations of SYNC records. */
enum {
  OP_FORK = 1,      /* argument: the child's number; object: its start function */
  OP_BEGIN,         /* object: lowest address of the stack; argument: its size */
  OP_END,
  OP_JOIN,          /* argument: the child's number */
  OP_ACQUIRE,       /* exclusive */
  OP_RELEASE,
  OP_ACQUIRE_SHARED,
  OP_RELEASE_SHARED,
  OP_NOTIFY,        /* what is notified is before what waits later */
  OP_WAIT,
  OP_BARRIER,       /* arrival */
  OP_BARRIER_LEFT,  /* departure */
  OP_LOAD,          /* atomic; flag: bits 0-3 the memory order, 4-7 logarithm of the size */
  OP_STORE,
  OP_UPDATE,        /* read-modify-write */
  OP_FENCE,
  OP_ALLOC,         /* argument: size */
  OP_FREE,          /* argument: size; flag: 1 if the system may give it to anybody (munmap) */
  OP_NOT_FORKED,    /* the creation of thread `argument` failed */
  OP_FORKED_PROCESS,/* a child process, which is not recorded */
  OP_PARALLEL_BEGIN,/* OpenMP. object: the region's number */
  OP_PARALLEL_END,
  OP_IMPLICIT,      /* an implicit task begins. object: bits 0-31 the region's number, 32-47 which member of the team; argument: the task's number */
  OP_TASK_CREATE,   /* argument: the new task's number; flag: 1 undeferred */
  OP_TASK_SCHEDULE, /* object: the task before; argument: the task from now on; flag: 1 if the first one is complete, 2 if its event came */
  OP_DEPENDENCE,    /* object: the address; argument: the task's number; flag: the type */
  OP_REGION_BEGIN,  /* waiting begins. flag: the kind, as in OMPT */
  OP_REGION_END,
  OP_DEAD_STACK,    /* memory of the thread's stack that no frame uses. argument: size */
  OP_SINGLE,        /* `single`. flag: 1 if this thread executes it */
  OP_CHUNK,         /* iterations of a loop that the runtime hands out. argument: the first; object: how many follow it; flag: 1 some, 2 with
                       the last of the loop, 4 not in steps of one */
  OP_ASKED,         /* a function told the program which thread it is */
  OP_OWN_MEMORY     /* thread-local variables. argument: size */
};

struct rp_header {
  u64 magic;
  u32 recorder;                /* process number of `raceproof record` */
  _Atomic u32 stop;            /* set by the recorder: nothing more is stored */
  _Atomic u32 pid;             /* the recorded process; 0: none yet */
  _Atomic u32 others;          /* instrumented processes that came too late */
  _Atomic u64 seq;             /* the next global number */
  _Atomic u32 threads;         /* numbers of threads given out */
  u32 unused;
  _Atomic u32 no_slot;         /* threads that found no slot and are not recorded */
  _Atomic u32 waited;          /* how often a thread waited for a chunk */
  _Atomic u64 no_slot_seq;     /* the global number when that happened first */
};

enum { CHUNK_FREE = 0, CHUNK_TAKEN, CHUNK_FULL };

struct rp_chunk {
  _Atomic u32 state;
  u32 thread;                  /* number of the thread */
  u64 index;                   /* which of the thread's chunks */
};

/* What a thread does at one place in the code: addresses and clocks in equal steps. The count is written last, so that
 * the entry is right at any moment: `raceproof record` reads it when the program was killed. */
struct rp_entry {
  u64 pc;
  u32 ctx;
  u32 site;
  u64 next_addr;
  s64 stride;
  u64 base;
  u32 count;
  u32 next_k;
  u32 kstride;
  u32 first_k;
  u64 pad;
};

enum { SLOT_FREE = 0, SLOT_LIVE };

struct rp_thread {
  _Atomic u32 state;
  u32 number;
  u32 k;
  u32 ctx;
  u64 *at;                     /* where the next record goes, in the program's addresses */
  u64 *end;
  u32 chunk;
  u32 busy;                    /* inside the runtime: what a signal handler does is not recorded */
  u64 chunks;                  /* how many chunks it has had */
  u64 lost_seq;                /* the first global number that was not stored */
  u32 lost;                    /* whether anything was not stored */
  u32 lost_k;
  u64 pad[8];
  struct rp_entry cache[RP_CACHE];
};

_Static_assert(sizeof(struct rp_entry) == 64 && sizeof(struct rp_thread) == 128 + RP_CACHE * 64, "as in layout.rs");
_Static_assert(sizeof(struct rp_chunk) == 16 && sizeof(struct rp_header) <= RP_CHUNK_INFO, "as in layout.rs");

#endif
