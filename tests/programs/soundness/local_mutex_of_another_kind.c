//@ verdict: defect
//@ about: once answered wrongly because the entry of a recursive mutex outlives its stack frame; the next mutex there is taken for it
//@ defect: deadlock 22
//@ about: a recursive and a normal mutex, in two calls, at the same place of the stack
#include <pthread.h>

void recursive(void)
{
    pthread_mutexattr_t a;
    pthread_mutex_t m;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &a);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
}

void normal(int *first)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    *first = 1;
}

void start(void)
{
    int pad[4];
    normal(pad);
}

int main(void)
{
    recursive();
    start();
    return 0;
}
