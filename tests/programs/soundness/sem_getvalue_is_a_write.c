//@ verdict: race
//@ about: once answered wrongly because the write of the value is not recorded
//@ race: value 15 24
//@ about: sem_getvalue writes the value
#include <pthread.h>
#include <semaphore.h>

sem_t s;
int value;
int got;

void *reader(void *arg)
{
    (void)arg;
    got = value;
    return 0;
}

int main(void)
{
    pthread_t b;
    sem_init(&s, 0, 3);
    pthread_create(&b, 0, reader, 0);
    sem_getvalue(&s, &value);
    pthread_join(b, 0);
    return 0;
}
