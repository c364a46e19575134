//@ verdict: race-free
//@ about: a pool of worker threads with a linked list of tasks and an orderly end
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct task {
    void (*fn)(void *);
    void *arg;
    struct task *next;
} task_t;
typedef struct {
    pthread_mutex_t m;
    pthread_cond_t c;
    task_t *head, *tail;
    bool stop;
    pthread_t th[2];
} pool_t;
static void *work(void *p)
{
    pool_t *pool = p;
    for (;;) {
        pthread_mutex_lock(&pool->m);
        while (!pool->head && !pool->stop)
            pthread_cond_wait(&pool->c, &pool->m);
        if (!pool->head) {
            pthread_mutex_unlock(&pool->m);
            return NULL;
        }
        task_t *t = pool->head;
        pool->head = t->next;
        if (!pool->head)
            pool->tail = NULL;
        pthread_mutex_unlock(&pool->m);
        t->fn(t->arg);
        free(t);
    }
}
static void submit(pool_t *p, void (*fn)(void *), void *arg)
{
    task_t *t = malloc(sizeof *t);
    *t = (task_t){fn, arg, NULL};
    pthread_mutex_lock(&p->m);
    if (p->tail)
        p->tail->next = t;
    else
        p->head = t;
    p->tail = t;
    pthread_cond_signal(&p->c);
    pthread_mutex_unlock(&p->m);
}
static void square(void *a)
{
    int *x = a;
    *x *= *x;
}
int main(void)
{
    pool_t *p = calloc(1, sizeof *p);
    pthread_mutex_init(&p->m, NULL);
    pthread_cond_init(&p->c, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&p->th[i], NULL, work, p);
    int data[3] = {2, 3, 4};
    for (int i = 0; i < 3; i++)
        submit(p, square, &data[i]);
    pthread_mutex_lock(&p->m);
    p->stop = true;
    pthread_cond_broadcast(&p->c);
    pthread_mutex_unlock(&p->m);
    for (int i = 0; i < 2; i++)
        pthread_join(p->th[i], NULL);
    assert(data[0] == 4 && data[1] == 9 && data[2] == 16);
    printf("%d %d %d\n", data[0], data[1], data[2]);
    pthread_cond_destroy(&p->c);
    pthread_mutex_destroy(&p->m);
    free(p);
    return 0;
}
