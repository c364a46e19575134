//@ verdict: race-free
//@ about: Goldilocks, section 7: a request for I/O passes from its creator to the driver or the canceller, and on to post-processing
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum status { PENDING, COMPLETED, CANCELLED };

/* A request. Its fields belong to whoever owns it at the moment. */
struct irp {
    int argument, result;
    enum status status;
    /* Who exchanges it first, the driver or the canceller, owns the request. */
    atomic_int claimed;
    struct irp *next;
};

struct queue {
    pthread_mutex_t lock;
    struct irp *head;
};

static struct queue pending = {PTHREAD_MUTEX_INITIALIZER, NULL};
static struct queue finished = {PTHREAD_MUTEX_INITIALIZER, NULL};
/* How the canceller knows the request, and how post-processing knows that there is one to process. */
static _Atomic(struct irp *) cancellable;
static atomic_bool done;

static void put(struct queue *q, struct irp *irp)
{
    pthread_mutex_lock(&q->lock);
    irp->next = q->head;
    q->head = irp;
    pthread_mutex_unlock(&q->lock);
}

static struct irp *take(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    struct irp *irp = q->head;
    if (irp)
        q->head = irp->next;
    pthread_mutex_unlock(&q->lock);
    return irp;
}

static void *create(void *arg)
{
    struct irp *irp = malloc(sizeof *irp);
    (void)arg;
    irp->argument = 20;
    irp->result = 0;
    irp->status = PENDING;
    irp->next = NULL;
    atomic_init(&irp->claimed, 0);
    put(&pending, irp);
    atomic_store(&cancellable, irp);
    return NULL;
}

static void finish(struct irp *irp, enum status status)
{
    assert(irp->status == PENDING);
    irp->status = status;
    irp->result = status == COMPLETED ? irp->argument + 1 : -1;
}

static void *complete(void *arg)
{
    struct irp *irp = take(&pending);
    (void)arg;
    if (irp && atomic_exchange(&irp->claimed, 1) == 0) {
        finish(irp, COMPLETED);
        put(&finished, irp);
        atomic_store(&done, true);
    }
    return NULL;
}

static void *cancel(void *arg)
{
    struct irp *irp = atomic_load(&cancellable);
    (void)arg;
    if (irp && atomic_exchange(&irp->claimed, 1) == 0) {
        /* It may still be in the queue of pending requests, whose links belong to the queue. */
        finish(irp, CANCELLED);
        atomic_store(&done, true);
    }
    return NULL;
}

static void *post_process(void *arg)
{
    (void)arg;
    if (!atomic_load(&done))
        return NULL;
    struct irp *irp = take(&finished);
    if (!irp)
        irp = atomic_load(&cancellable);
    assert(irp->status == COMPLETED ? irp->result == 21 : irp->status == CANCELLED && irp->result == -1);
    return NULL;
}

int main(void)
{
    void *(*parts[4])(void *) = {create, complete, cancel, post_process};
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, parts[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
