//@ verdict: race
//@ race: call->task->out|task->out 41 41
//@ race: call->task->out|task->out 41 54
//@ about: the task queue, broken: the children do not lock, and only the first is joined before the result is used
#include <pthread.h>
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
static struct task *task_queue;

static void create_task(int *work)
{
    struct task *task = malloc(sizeof *task);
    for (int i = 0; i < SUBTASKS; i++)
        task->sub_tasks[i] = work[i];
    task->out = 0;
    pthread_mutex_lock(&queue_lock);
    task->next = task_queue;
    task_queue = task;
    pthread_mutex_unlock(&queue_lock);
}

static void *perform_sub_task(void *arg)
{
    struct sub_task_call *call = arg;
    int sub_task = call->task->sub_tasks[call->index];
    call->task->out += sub_task * sub_task;
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
    pthread_join(children[0], NULL);
    printf("%d\n", task->out);
    pthread_join(children[1], NULL);
}

static void perform_next_task(void)
{
    pthread_mutex_lock(&queue_lock);
    struct task *task = task_queue;
    if (task)
        task_queue = task->next;
    pthread_mutex_unlock(&queue_lock);
    if (task)
        parallel_task_helper(task);
}

int main(void)
{
    int work[SUBTASKS] = {3, 4};
    create_task(work);
    perform_next_task();
    return 0;
}
