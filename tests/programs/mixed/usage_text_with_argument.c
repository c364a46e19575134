//@ verdict: race
//@ races-verdict: race
//@ defects-verdict: none
//@ race: x 14 14
//@ options: --arg 3
//@ about: with its argument it has its race
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static int x;
static void *worker(void *arg)
{
    x++;
    return arg;
}
int main(int argc, char **argv)
{
    if (argc < 2) {
        printf("usage: %s N\n", argv[0]);
        return 1;
    }
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
