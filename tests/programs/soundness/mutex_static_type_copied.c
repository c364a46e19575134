//@ verdict: defect
//@ defect: deadlock 37
//@ about: a mutex that is a copy of one of two static initialisers, chosen by the schedule
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static const pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static const pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int kind[2];

static void *change(void *arg)
{
    pthread_mutex_lock(&guard);
    kind[0] = plain.__data.__kind;
    pthread_mutex_unlock(&guard);
    return arg;
}
static void *twice(void *arg)
{
    pthread_mutex_t m = recursive;
    pthread_mutex_lock(&guard);
    memcpy(&m.__data.__kind, kind, sizeof(int));
    pthread_mutex_unlock(&guard);

    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    return arg;
}
int main(void)
{
    pthread_t t[2];
    kind[0] = recursive.__data.__kind;
    pthread_create(&t[0], 0, twice, 0);
    pthread_create(&t[1], 0, change, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
