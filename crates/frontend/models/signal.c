/* signal.c: signals (C11 7.14, POSIX 2.4). Nothing interrupts a thread here: installing a handler is not supported, ignoring a
 * signal or restoring its default is accepted. A signal that the thread blocks stays pending until it unblocks it (then its
 * default is done) or somebody waits for it; one that is not blocked and whose default is to end the program ends it.
 * A wait for a signal is ordered after what its sender did before. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

typedef unsigned long long mask_t; /* bit s - 1 is signal s */

/* Which signals the program ignores. Atomic: POSIX makes sigaction safe to call from any thread. */
static atomic_uchar ignored[65];
/* Signals that were sent to a thread, or to the process, and are blocked. */
static _Atomic mask_t pending[RP_THREADS];
static _Atomic mask_t process_pending;
/* Changes whenever a signal becomes pending: what sigwait sleeps on. */
static atomic_int arrivals;

static int is_signal(int s) { return s >= 1 && s <= 64; }
static mask_t bit(int s) { return 1ull << (s - 1); }

/* ---- dispositions ---- */

static sighandler_t set_disposition(int s, sighandler_t handler) {
    if (!is_signal(s) || s == SIGKILL || s == SIGSTOP) {
        errno = EINVAL;
        return SIG_ERR;
    }
    if (handler != SIG_IGN && handler != SIG_DFL) __rp_unsupported("signal handlers");
    return atomic_exchange(&ignored[s], handler == SIG_IGN) ? SIG_IGN : SIG_DFL;
}
MODEL sighandler_t signal(int s, sighandler_t handler) { return set_disposition(s, handler); }
MODEL sighandler_t sysv_signal(int s, sighandler_t handler) { return set_disposition(s, handler); }
MODEL sighandler_t __sysv_signal(int s, sighandler_t handler) { return set_disposition(s, handler); }
MODEL int sigaction(int s, const struct sigaction *restrict action, struct sigaction *restrict old) {
    if (!is_signal(s)) {
        errno = EINVAL;
        return -1;
    }
    sighandler_t before = atomic_load(&ignored[s]) ? SIG_IGN : SIG_DFL;
    if (action != NULL && set_disposition(s, action->sa_handler) == SIG_ERR) return -1;
    if (old != NULL) {
        __builtin_memset(old, 0, sizeof *old);
        old->sa_handler = before;
    }
    return 0;
}
static int does_nothing(int s) {
    return s == SIGCHLD || s == SIGCONT || s == SIGURG || s == SIGWINCH || atomic_load(&ignored[s]);
}
/* What a signal does that is not blocked. */
static void act(int s) {
    if (does_nothing(s)) return;
    if (s == SIGABRT) __rp_defect(RP_ABORT, "SIGABRT raised");
    if (s == SIGTERM || s == SIGKILL || s == SIGINT || s == SIGHUP) __rp_exit(128 + s);
    __rp_defect(RP_ABORT, "a signal was raised that ends the program");
}

/* ---- sets of signals ---- */

static mask_t get(const sigset_t *set) {
    mask_t mask;
    __builtin_memcpy(&mask, set, sizeof mask);
    return mask;
}
static void put(sigset_t *set, mask_t mask) {
    __builtin_memset(set, 0, sizeof *set);
    __builtin_memcpy(set, &mask, sizeof mask);
}
MODEL int sigemptyset(sigset_t *set) {
    put(set, 0);
    return 0;
}
MODEL int sigfillset(sigset_t *set) {
    __builtin_memset(set, 0xff, sizeof *set);
    return 0;
}
static int bad_signal(int s) {
    if (is_signal(s)) return 0;
    errno = EINVAL;
    return 1;
}
MODEL int sigaddset(sigset_t *set, int s) {
    if (bad_signal(s)) return -1;
    ((unsigned char *)set)[(s - 1) / 8] |= (unsigned char)(1 << (s - 1) % 8);
    return 0;
}
MODEL int sigdelset(sigset_t *set, int s) {
    if (bad_signal(s)) return -1;
    ((unsigned char *)set)[(s - 1) / 8] &= (unsigned char)~(1 << (s - 1) % 8);
    return 0;
}
MODEL int sigismember(const sigset_t *set, int s) {
    if (bad_signal(s)) return -1;
    return ((const unsigned char *)set)[(s - 1) / 8] >> (s - 1) % 8 & 1;
}
MODEL int sigisemptyset(const sigset_t *set) { return get(set) == 0; }

/* ---- masks (the thread's own is in pthread.c, since threads inherit it) ---- */

/* Takes one of these signals out of those that are pending; 0 if there is none. */
static int take_from(_Atomic mask_t *from, mask_t wanted) {
    mask_t now = atomic_load(from);
    while (now & wanted) {
        mask_t lowest = (now & wanted) & -(now & wanted);
        if (atomic_compare_exchange_strong(from, &now, now & ~lowest)) return __builtin_ctzll(lowest) + 1;
    }
    return 0;
}
static int take(mask_t wanted) {
    int s = take_from(&pending[__rp_thread_id()], wanted);
    return s != 0 ? s : take_from(&process_pending, wanted);
}
static void set_own_mask(mask_t mask) {
    mask &= ~(bit(SIGKILL) | bit(SIGSTOP)); /* cannot be blocked; POSIX: no error either */
    mask_t unblocked = __rp_signal_mask & ~mask;
    __rp_signal_mask = mask;
    atomic_store(&__rp_blocked_signals[__rp_thread_id()], mask);
    if (unblocked == 0) return;
    for (int s; (s = take(unblocked)) != 0;) act(s);
}
static int set_mask(int how, const sigset_t *set, sigset_t *old) {
    mask_t before = __rp_signal_mask, given = set != NULL ? get(set) : 0;
    if (set != NULL && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
    if (old != NULL) put(old, before);
    if (set == NULL) return 0;
    set_own_mask(how == SIG_BLOCK ? before | given : how == SIG_UNBLOCK ? before & ~given : given);
    return 0;
}
MODEL int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
    return set_mask(how, set, old);
}
MODEL int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
    int error = set_mask(how, set, old);
    if (error != 0) errno = error;
    return error == 0 ? 0 : -1;
}

/* ---- sending ---- */

static void make_pending(_Atomic mask_t *where, int s) {
    atomic_fetch_or(where, bit(s));
    atomic_fetch_add(&arrivals, 1);
    __rp_futex_wake((int *)&arrivals, __INT_MAX__);
}
static void send_to_self(int s) {
    if (__rp_signal_mask & bit(s)) make_pending(&pending[__rp_thread_id()], s);
    else act(s);
}
MODEL int raise(int s) {
    if (bad_signal(s)) return -1;
    send_to_self(s);
    return 0;
}
MODEL int pthread_kill(pthread_t thread, int s) {
    unsigned id = (unsigned)thread - 1;
    if (s != 0 && !is_signal(s)) return EINVAL;
    if (id >= __rp_next_thread()) __rp_defect(RP_MISUSE, "pthread_kill of something that is no thread");
    if (s == 0) return 0;
    if (id == __rp_thread_id()) send_to_self(s);
    else if (atomic_load(&__rp_blocked_signals[id]) & bit(s)) make_pending(&pending[id], s);
    /* It ends the program, unless the thread has ended. */
    else if (!does_nothing(s)) __rp_unsupported("pthread_kill of a thread that does not block the signal");
    return 0;
}
/* A signal to the process goes to some thread that does not block it. */
static void send_to_process(int s) {
    if (s == SIGKILL || s == SIGSTOP || !(__rp_signal_mask & bit(s))) return act(s);
    for (unsigned id = 0; id < __rp_next_thread(); id++)
        if (!(atomic_load(&__rp_blocked_signals[id]) & bit(s)))
            __rp_unsupported("a signal to the process that not all of its threads block");
    make_pending(&process_pending, s);
}
MODEL int kill(pid_t pid, int s) {
    if (s != 0 && bad_signal(s)) return -1;
    if (pid != getpid() && pid != 0) __rp_unsupported("kill of another process");
    if (s != 0) send_to_process(s);
    return 0;
}
MODEL int sigqueue(pid_t pid, int s, const union sigval value UNUSED) { return kill(pid, s); }
MODEL int killpg(int group UNUSED, int s UNUSED) { __rp_not_modelled("killpg"); }

/* ---- waiting ---- */

MODEL int sigpending(sigset_t *set) {
    put(set, atomic_load(&pending[__rp_thread_id()]) | atomic_load(&process_pending));
    return 0;
}
static int wait_for(const sigset_t *set) {
    mask_t wanted = get(set);
    for (;;) {
        int before = atomic_load(&arrivals);
        int s = take(wanted);
        if (s != 0) return s;
        __rp_futex_wait((int *)&arrivals, before);
    }
}
MODEL int sigwait(const sigset_t *restrict set, int *restrict s) {
    *s = wait_for(set);
    return 0;
}
static int tell(int s, siginfo_t *info) {
    if (info != NULL) {
        __builtin_memset(info, 0, sizeof *info);
        info->si_signo = s;
    }
    return s;
}
MODEL int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info) { return tell(wait_for(set), info); }
/* Its time may run out at any moment, so it looks once: before or after the signal, as the schedule has it. */
MODEL int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict t) {
    int s = take(get(set));
    if (s != 0) return tell(s, info);
    errno = t->tv_nsec < 0 || t->tv_nsec >= 1000000000 ? EINVAL : EAGAIN;
    return -1;
}
MODEL int siginterrupt(int s UNUSED, int flag UNUSED) { return 0; }
MODEL int sigsuspend(const sigset_t *set UNUSED) { __rp_not_modelled("sigsuspend"); }
MODEL int pause(void) { __rp_not_modelled("pause"); }
MODEL unsigned alarm(unsigned seconds UNUSED) { __rp_not_modelled("alarm"); }
