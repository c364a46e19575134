//@ verdict: race
//@ about: once answered wrongly because the write of the result is not recorded
//@ race: result 14 23
//@ about: pthread_join writes the result
#include <pthread.h>

void *result;

void *work(void *arg) { return arg; }

void *reader(void *arg)
{
    (void)arg;
    return result;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, reader, 0);

    pthread_join(a, &result);
    pthread_join(b, 0);
    return 0;
}
