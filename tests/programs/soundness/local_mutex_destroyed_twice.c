//@ verdict: race-free
//@ about: once answered wrongly because the entry of a destroyed mutex outlives its stack frame
//@ about: a local mutex with a static initialiser is destroyed and made again at the same place
#include <pthread.h>

static int twice(int n)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&m);
    n *= 2;
    pthread_mutex_unlock(&m);
    pthread_mutex_destroy(&m);
    return n;
}

int main(void)
{
    return twice(twice(1)) != 4;
}
