//@ verdict: race
//@ race: a[2] 17 18
//@ about: thread i reads a[i + 1], which thread i + 1 writes: the element at the border races
#include <pthread.h>

#define N 4
static int a[N + 1] = {1, 1, 1, 1, 1};

struct range {
    int from, to;
};

static void *shift(void *arg)
{
    struct range *r = arg;
    for (int i = r->from; i < r->to; i++)
        a[i] =
            a[i + 1];
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    struct range r[2] = {{0, 2}, {2, 4}};
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, shift, &r[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return a[0] == 1 ? 0 : 1;
}
