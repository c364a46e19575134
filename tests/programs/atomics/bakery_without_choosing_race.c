//@ verdict: race
//@ race: c 46 46
//@ about: the bakery algorithm without announcing that a number is being chosen
#include <pthread.h>
#include <stdatomic.h>
#define T 2
static atomic_int choosing[T], num[T];
static int c;

static void lock(int i)
{
    int m = 0;
    for (int j = 0; j < T; j++) {
        int v = num[j];
        if (v > m)
            m = v;
    }
    num[i] = m + 1;
    choosing[i] = 0;
    for (int j = 0; j < T; j++) {
        if (j == i)
            continue;
        while (choosing[j]) {
        }
        for (;;) {
            int v = num[j];
            if (v == 0)
                break;
            int me = num[i];
            if (v > me || (v == me && j > i))
                break;
        }
    }
}

static void unlock(int i)
{
    num[i] = 0;
}

static void *w(void *x)
{
    int i = (int)(long)x;
    for (int k = 0; k < 2; k++) {
        lock(i);
        c++;
        unlock(i);
    }
    return 0;
}

int main(void)
{
    pthread_t t[T];
    for (long i = 0; i < T; i++)
        pthread_create(t + i, 0, w, (void *)i);
    for (int i = 0; i < T; i++)
        pthread_join(t[i], 0);
    return c == 4 ? 0 : 1;
}
