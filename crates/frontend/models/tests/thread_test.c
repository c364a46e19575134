/* thread_test.c: the glue of pthreads and C11 threads over real threads: results, specific data, once, atomics, attributes. */
#define _GNU_SOURCE
#include "shim.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

MODELLED(pthread_create); MODELLED(pthread_exit); MODELLED(pthread_once); MODELLED(pthread_key_create);
MODELLED(pthread_setspecific); MODELLED(pthread_getspecific); MODELLED(pthread_key_delete); MODELLED(thrd_create);
MODELLED(thrd_join); MODELLED(thrd_exit); MODELLED(thrd_current); MODELLED(mtx_init); MODELLED(mtx_lock); MODELLED(mtx_unlock);
MODELLED(mtx_trylock); MODELLED(cnd_init); MODELLED(cnd_wait); MODELLED(cnd_broadcast); MODELLED(call_once); MODELLED(tss_create);
MODELLED(tss_set); MODELLED(tss_get); MODELLED(sem_open); MODELLED(sem_close); MODELLED(sem_unlink); MODELLED(syscall);
MODELLED(pthread_attr_init); MODELLED(pthread_attr_setdetachstate); MODELLED(pthread_attr_getdetachstate);
MODELLED(pthread_mutexattr_init); MODELLED(pthread_mutexattr_settype); MODELLED(pthread_mutexattr_gettype);
extern int native_pthread_join(pthread_t, void **);
extern int *m___errno_location(void);

static pthread_key_t key;
static atomic_int destroyed, rounds, once_runs;
static void count_destroyed(void *p) { destroyed += (int)(intptr_t)p; }
static void set_again(void *p) {
    rounds++;
    m_pthread_setspecific(key, p);
}
static void *returns(void *p) { return (char *)p + 1; }
static void *exits(void *p) {
    CHECK(m_pthread_getspecific(key) == NULL, "a new thread's value is null");
    m_pthread_setspecific(key, (void *)5);
    CHECK(m_pthread_getspecific(key) == (void *)5, "what was set");
    *m___errno_location() = 77;
    m_pthread_exit(p);
}
static void once_body(void) {
    for (int i = 0; i < 50; i++) sched_yield();
    once_runs++;
}
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *run_once(void *p) {
    m_pthread_once(&once, once_body);
    CHECK(once_runs == 1, "the initialiser has run when pthread_once returns");
    return p;
}
static void posix_threads(void) {
    pthread_t t[4];
    void *result;
    m_pthread_create(&t[0], NULL, returns, "ab");
    native_pthread_join(t[0], &result);
    CHECK(t[0] != 0 && strcmp(result, "b") == 0, "a returned result");
    CHECK(m_pthread_key_create(&key, count_destroyed) == 0, "a key");
    m_pthread_setspecific(key, (void *)9);
    m_pthread_create(&t[0], NULL, exits, "exit");
    native_pthread_join(t[0], &result);
    CHECK(strcmp(result, "exit") == 0 && destroyed == 5, "an exit result, and the destructor ran: %d", (int)destroyed);
    CHECK(m_pthread_getspecific(key) == (void *)9 && *m___errno_location() != 77, "other threads keep their own");
    m_pthread_key_delete(key);
    m_pthread_key_create(&key, set_again);
    m_pthread_create(&t[0], NULL, exits, "x");
    native_pthread_join(t[0], &result);
    CHECK(rounds == 4, "PTHREAD_DESTRUCTOR_ITERATIONS rounds: %d", (int)rounds);
    for (int i = 0; i < 4; i++) m_pthread_create(&t[i], NULL, run_once, NULL);
    for (int i = 0; i < 4; i++) native_pthread_join(t[i], NULL);
    CHECK(once_runs == 1, "once");
    pthread_attr_t a;
    int state;
    m_pthread_attr_init(&a);
    m_pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    m_pthread_attr_getdetachstate(&a, &state);
    CHECK(state == PTHREAD_CREATE_DETACHED && m_pthread_attr_setdetachstate(&a, 9) == EINVAL, "detach state");
    pthread_mutexattr_t m;
    m_pthread_mutexattr_init(&m);
    m_pthread_mutexattr_settype(&m, PTHREAD_MUTEX_RECURSIVE);
    CHECK((*(int *)&m & 3) == 1, "the machine finds the kind in the first int");
}
static mtx_t mutex;
static cnd_t changed;
static int counter, ready;
static tss_t slot;
static int c11_body(void *p) {
    m_tss_set(slot, p);
    m_mtx_lock(&mutex);
    while (!ready) m_cnd_wait(&changed, &mutex);
    counter++;
    m_mtx_unlock(&mutex);
    CHECK(m_tss_get(slot) == p, "tss");
    if (*(int *)p == 2) m_thrd_exit(22);
    return *(int *)p;
}
static void c11_threads(void) {
    thrd_t t[3];
    int args[3] = {0, 1, 2}, result;
    CHECK(m_mtx_init(&mutex, mtx_plain | mtx_recursive) == thrd_success && m_cnd_init(&changed) == thrd_success, "init");
    CHECK(m_mtx_init(&mutex, 99) == thrd_error, "a bad kind");
    m_tss_create(&slot, NULL);
    for (int i = 0; i < 3; i++) CHECK(m_thrd_create(&t[i], c11_body, &args[i]) == thrd_success, "thrd_create");
    m_mtx_lock(&mutex);
    CHECK(m_mtx_trylock(&mutex) == thrd_success && m_mtx_unlock(&mutex) == thrd_success, "recursive");
    ready = 1;
    m_cnd_broadcast(&changed);
    m_mtx_unlock(&mutex);
    for (int i = 0; i < 3; i++) {
        m_thrd_join(t[i], &result);
        CHECK(result == (i == 2 ? 22 : i), "thread %d gave %d", i, result);
    }
    CHECK(counter == 3 && m_thrd_current() == 1, "all ran");
}
static void semaphores(void) {
    sem_t *a = m_sem_open("/s", O_CREAT, 0600, 3), *b = m_sem_open("/s", 0);
    int value;
    sem_getvalue(a, &value);
    CHECK(a != SEM_FAILED && a == b && value == 3, "one name, one semaphore");
    CHECK(m_sem_open("/s", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && *m___errno_location() == EEXIST, "exclusive");
    CHECK(m_sem_open("/none", 0) == SEM_FAILED && *m___errno_location() == ENOENT, "no such name");
    CHECK(m_sem_unlink("/s") == 0 && m_sem_unlink("/s") == -1, "unlink");
    CHECK(m_sem_open("/s", O_CREAT, 0600, 1) != a, "the old one is still open");
    m_sem_close(a), m_sem_close(b);
}
typedef unsigned long long u8;
u8 m___atomic_load_8(void *, int), m___atomic_exchange_8(void *, u8, int), m___atomic_fetch_add_8(void *, u8, int);
u8 m___atomic_nand_fetch_8(void *, u8, int);
int m___atomic_compare_exchange_8(void *, void *, u8, int, int);
void m___atomic_load(size_t, void *, void *, int), m___atomic_store(size_t, void *, void *, int);
int m___atomic_compare_exchange(size_t, void *, void *, void *, int, int);
unsigned __int128 m___atomic_fetch_add_16(void *, unsigned __int128, int);
static void atomics(void) {
    for (int order = 0; order <= 5; order++) {
        u8 v = 5, expected = 4;
        CHECK(m___atomic_load_8(&v, order) == 5 && m___atomic_exchange_8(&v, 6, order) == 5 && v == 6, "load, exchange");
        CHECK(!m___atomic_compare_exchange_8(&v, &expected, 9, order, order) && expected == 6, "a failing exchange");
        CHECK(m___atomic_compare_exchange_8(&v, &expected, 9, order, 0) && v == 9, "a succeeding exchange");
        CHECK(m___atomic_fetch_add_8(&v, 3, order) == 9 && m___atomic_nand_fetch_8(&v, 4, order) == ~4ull, "arithmetic");
    }
    char big[24] = "twenty-three characters", copy[24], other[24] = "something else entirely";
    m___atomic_load(24, big, copy, 5);
    CHECK(memcmp(big, copy, 24) == 0 && m___atomic_compare_exchange(24, big, copy, other, 5, 5) && memcmp(big, other, 24) == 0, "a large object");
    unsigned __int128 wide = (unsigned __int128)1 << 100;
    CHECK(m___atomic_fetch_add_16(&wide, 1, 5) == (unsigned __int128)1 << 100 && (u8)wide == 1, "16 bytes");
    int word = 1;
    CHECK(m_syscall(SYS_futex, &word, 128, 2, NULL) == -1 && *m___errno_location() == EAGAIN, "a futex whose value differs");
    CHECK(m_syscall(SYS_futex, &word, 129, 1, NULL) == 1, "wake");
    CHECK(ENDING(m_syscall(SYS_getpid)) == 50, "another system call");
}
int main(void) {
    posix_threads();
    c11_threads();
    semaphores();
    atomics();
    CHECK(shim_live_objects == 0, "%d objects left over", shim_live_objects);
    return shim_end();
}
