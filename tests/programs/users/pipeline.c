//@ verdict: race-free
//@ about: three stages joined by channels of one element
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
typedef struct {
    int val;
    int has;
    pthread_mutex_t m;
    pthread_cond_t c;
} chan;
static chan ch[2] = {{0, 0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER},
                     {0, 0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER}};
static void send(chan *c, int v)
{
    pthread_mutex_lock(&c->m);
    while (c->has)
        pthread_cond_wait(&c->c, &c->m);
    c->val = v;
    c->has = 1;
    pthread_cond_broadcast(&c->c);
    pthread_mutex_unlock(&c->m);
}
static int recv(chan *c)
{
    pthread_mutex_lock(&c->m);
    while (!c->has)
        pthread_cond_wait(&c->c, &c->m);
    int v = c->val;
    c->has = 0;
    pthread_cond_broadcast(&c->c);
    pthread_mutex_unlock(&c->m);
    return v;
}
static void *s1(void *a)
{
    for (int i = 1; i <= 3; i++)
        send(&ch[0], i);
    send(&ch[0], -1);
    return a;
}
static void *s2(void *a)
{
    int v;
    while ((v = recv(&ch[0])) >= 0)
        send(&ch[1], v * 10);
    send(&ch[1], -1);
    return a;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, s1, 0);
    pthread_create(&b, 0, s2, 0);
    int v, sum = 0;
    while ((v = recv(&ch[1])) >= 0)
        sum += v;
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sum == 60);
    printf("%d\n", sum);
}
