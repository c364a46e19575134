//@ verdict: race-free
//@ about: a number from scanf is mere data
#include <pthread.h>
#include <stdio.h>
static int n;
static long sum;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *w(void *a)
{
    pthread_mutex_lock(&m);
    sum += n;
    pthread_mutex_unlock(&m);
    return a;
}
int main(void)
{
    if (scanf("%d", &n) != 1)
        return 1;
    pthread_t a;
    pthread_create(&a, 0, w, 0);
    w(0);
    pthread_join(a, 0);
    printf("%ld\n", sum);
}
