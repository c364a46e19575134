//@ verdict: race
//@ race: done 17 17
//@ about: work is given out atomically but counted plainly
// work stealing counters, missing atomicity
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#define N 6
static atomic_int next;
static int result[N];
static int done;
static void *w(void *a)
{
    int i;
    while ((i = atomic_fetch_add(&next, 1)) < N)
        result[i] = i * i;
    done++;
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, w, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    int s = 0;
    for (int i = 0; i < N; i++)
        s += result[i];
    printf("%d %d\n", s, done);
}
