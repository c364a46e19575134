//@ verdict: unknown
//@ races-verdict: unknown
//@ defects-verdict: none
//@ reason: the program ended with status 1 after printing `usage: usage_text N`; it never came to the creation of a thread in line 24
//@ reason-line: 24
//@ about: without arguments the program only says how it is used
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
