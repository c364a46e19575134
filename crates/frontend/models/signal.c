/* signal.c: signals (C11 7.14, POSIX). Nothing interrupts a thread here: installing a handler is not supported, ignoring a
 * signal or restoring its default is accepted, and raising one whose default is to end the program is a defect. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

/* Which signals the program ignores. Atomic: POSIX makes sigaction safe to call from any thread. */
static atomic_uchar ignored[65];

static int is_signal(int s) { return s >= 1 && s <= 64; }
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
    if (old != NULL) {
        __builtin_memset(old, 0, sizeof *old);
        old->sa_handler = atomic_load(&ignored[s]) ? SIG_IGN : SIG_DFL;
    }
    return action != NULL && set_disposition(s, action->sa_handler) == SIG_ERR ? -1 : 0;
}
static int send(int s) {
    if (s == 0) return 0;
    if (!is_signal(s)) {
        errno = EINVAL;
        return -1;
    }
    if (s == SIGCHLD || s == SIGCONT || s == SIGURG || s == SIGWINCH || atomic_load(&ignored[s])) return 0;
    if (s == SIGABRT) __rp_defect(RP_ABORT, "SIGABRT raised");
    if (s == SIGTERM || s == SIGKILL || s == SIGINT || s == SIGHUP) __rp_exit(128 + s);
    __rp_defect(RP_ABORT, "a signal was raised that ends the program");
}
MODEL int raise(int s) { return send(s); }
MODEL int kill(pid_t pid, int s) {
    if (pid != getpid() && pid != 0) __rp_unsupported("kill of another process");
    return send(s);
}
MODEL int killpg(int group UNUSED, int s UNUSED) { __rp_unsupported("killpg"); }

/* Sets of signals, and masks, which matter only when signals are delivered. */
MODEL int sigemptyset(sigset_t *set) {
    __builtin_memset(set, 0, sizeof *set);
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
static int set_mask(int how, const sigset_t *set, sigset_t *old) {
    static _Thread_local sigset_t mask;
    if (old != NULL) *old = mask;
    if (set == NULL) return 0;
    if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
    unsigned char *to = (unsigned char *)&mask;
    const unsigned char *from = (const unsigned char *)set;
    for (size_t i = 0; i < sizeof mask; i++)
        to[i] = how == SIG_BLOCK ? to[i] | from[i] : how == SIG_UNBLOCK ? to[i] & ~from[i] : from[i];
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
MODEL int siginterrupt(int s UNUSED, int flag UNUSED) { return 0; }
MODEL int sigwait(const sigset_t *restrict set UNUSED, int *restrict s UNUSED) { __rp_unsupported("sigwait"); }
MODEL int sigsuspend(const sigset_t *set UNUSED) { __rp_unsupported("sigsuspend"); }
MODEL int sigpending(sigset_t *set) { return sigemptyset(set); }
MODEL int pause(void) { __rp_unsupported("pause"); }
MODEL unsigned alarm(unsigned seconds UNUSED) { __rp_unsupported("alarm"); }
