//@ verdict: race-free
//@ about: pthread_exit between push and pop runs the cleanup handler
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void un(void *p)
{
    pthread_mutex_unlock(p);
}
static void *w(void *a)
{
    pthread_mutex_lock(&m);
    pthread_cleanup_push(un, &m);
    x++;
    if (x == 1)
        pthread_exit((void *)7);
    pthread_cleanup_pop(1);
    return a;
}
int main(void)
{
    pthread_t a, b;
    void *r, *s;
    pthread_create(&a, 0, w, 0);
    pthread_create(&b, 0, w, 0);
    pthread_join(a, &r);
    pthread_join(b, &s);
    printf("%d %ld\n", x, (long)r + (long)s);
}
