//@ verdict: race-free
//@ about: Goldilocks, figure 1: a task passes from its creator through the queue to a worker and its children
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define SUBTASKS 2

struct task {
    int sub_tasks[SUBTASKS];
    int out;
    struct task *next;
};

struct sub_task_call {
    struct task *task;
    int index;
};

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t task_lock = PTHREAD_MUTEX_INITIALIZER;
static struct task *task_queue;

static void *create_task(void *arg)
{
    int *work = arg;
    struct task *task = malloc(sizeof *task);
    for (int i = 0; i < SUBTASKS; i++)
        task->sub_tasks[i] = work[i];
    task->out = 0;
    pthread_mutex_lock(&queue_lock);
    task->next = task_queue;
    task_queue = task;
    pthread_mutex_unlock(&queue_lock);
    return NULL;
}

static int perform(int sub_task)
{
    return sub_task * sub_task;
}

static void *perform_sub_task(void *arg)
{
    struct sub_task_call *call = arg;
    int result = perform(call->task->sub_tasks[call->index]);
    pthread_mutex_lock(&task_lock);
    call->task->out += result;
    pthread_mutex_unlock(&task_lock);
    return NULL;
}

static void parallel_task_helper(struct task *task)
{
    pthread_t children[SUBTASKS];
    struct sub_task_call calls[SUBTASKS];
    for (int i = 0; i < SUBTASKS; i++) {
        calls[i] = (struct sub_task_call){task, i};
        pthread_create(&children[i], NULL, perform_sub_task, &calls[i]);
    }
    for (int i = 0; i < SUBTASKS; i++)
        pthread_join(children[i], NULL);
    printf("%d\n", task->out);
    assert(task->out == 9 + 16);
    free(task);
}

static bool perform_next_task(void)
{
    pthread_mutex_lock(&queue_lock);
    struct task *task = task_queue;
    if (task)
        task_queue = task->next;
    pthread_mutex_unlock(&queue_lock);
    if (!task)
        return false;
    parallel_task_helper(task);
    return true;
}

int main(void)
{
    pthread_t creator;
    int work[SUBTASKS] = {3, 4};
    pthread_create(&creator, NULL, create_task, work);
    bool done = perform_next_task();
    pthread_join(creator, NULL);
    if (!done)
        assert(perform_next_task());
    return 0;
}
