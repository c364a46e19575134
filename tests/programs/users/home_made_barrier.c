//@ verdict: race-free
//@ about: a barrier with generations from a mutex and a condition variable
#include <pthread.h>
#include <stdio.h>
#define T 3
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, gen;
static int a[T], b[T];
static void barrier(void)
{
    pthread_mutex_lock(&m);
    int g = gen;
    if (++waiting == T) {
        waiting = 0;
        gen++;
        pthread_cond_broadcast(&c);
    } else
        while (g == gen)
            pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
}
static void *w(void *p)
{
    int i = *(int *)p;
    for (int r = 0; r < 2; r++) {
        a[i] = r + i;
        barrier();
        b[i] = a[(i + 1) % T];
        barrier();
    }
    return 0;
}
int main(void)
{
    pthread_t t[T];
    int id[T];
    for (int i = 0; i < T; i++) {
        id[i] = i;
        pthread_create(&t[i], 0, w, &id[i]);
    }
    for (int i = 0; i < T; i++)
        pthread_join(t[i], 0);
    printf("%d %d %d\n", b[0], b[1], b[2]);
}
