//@ verdict: race-free
//@ about: inputs choose functions from a table: reader, writer and recursive locks, arrays of variable length, variable arguments
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

static volatile int state;
static __thread int own;
static int guarded, recursive_count;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_mutex_t recursive;
static int hits;

static int sum(int n, ...)
{
    va_list list;
    int s = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        s += va_arg(list, int);
    va_end(list);
    return s;
}

static void reader(int n)
{
    pthread_rwlock_rdlock(&rw);
    own += guarded;
    pthread_rwlock_unlock(&rw);
    __sync_fetch_and_add(&hits, n > 0);
}

static void writer(int n)
{
    int scratch[n];
    scratch[n - 1] = sum(2, n, 1);
    pthread_rwlock_wrlock(&rw);
    guarded = scratch[n - 1];
    pthread_rwlock_unlock(&rw);
    pthread_spin_lock(&spin);
    state = n;
    pthread_spin_unlock(&spin);
}

static void nested(int n)
{
    pthread_mutex_lock(&recursive);
    if (n > 1)
        pthread_mutex_lock(&recursive);
    recursive_count++;
    if (n > 1)
        pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
}

static void (*const table[])(int) = { reader, writer, nested };

struct task {
    pthread_t id;
    int kind;
    int n;
};

static void *run(void *arg)
{
    struct task *task = arg;
    table[task->kind](task->n);
    return NULL;
}

int main(void)
{
    struct task tasks[2];
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attr);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    for (int i = 0; i < 2; i++) {
        tasks[i].kind = __VERIFIER_nondet_int();
        tasks[i].n = __VERIFIER_nondet_int();
        if (tasks[i].kind < 0 || tasks[i].kind > 2 || tasks[i].n < 1 || tasks[i].n > 2)
            return 0;
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&tasks[i].id, NULL, run, &tasks[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(tasks[i].id, NULL);
    return 0;
}
