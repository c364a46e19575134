//@ verdict: race
//@ races: at-least
//@ race: x 13 23
//@ about: four threads meet in pairs: those of different rounds are not ordered
#include <pthread.h>

pthread_barrier_t bar;
int x, got[2];

void *writer(void *arg)
{
    (void)arg;
    x = 1;
    pthread_barrier_wait(&bar);
    return 0;
}

void *reader(void *arg)
{
    int s = 0;
    pthread_barrier_wait(&bar);

    s = x;
    got[(long)arg] = s;
    return 0;
}

void *other(void *arg)
{
    pthread_barrier_wait(&bar);
    return arg;
}

int main(void)
{
    pthread_t t[4];
    pthread_barrier_init(&bar, 0, 2);
    pthread_create(&t[0], 0, writer, 0);
    pthread_create(&t[1], 0, other, 0);
    pthread_create(&t[2], 0, reader, 0);
    pthread_create(&t[3], 0, other, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    return 0;
}
