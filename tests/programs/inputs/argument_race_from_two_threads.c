//@ verdict: race
//@ race: joined 12 12
//@ options: --arg 1..3
//@ about: one thread is fine, two race: the range of the argument must be explored
#include <pthread.h>
#include <stdlib.h>

static int joined;

static void *worker(void *arg)
{
    joined++;
    return arg;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1;
    pthread_t t[3];
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    return 0;
}
