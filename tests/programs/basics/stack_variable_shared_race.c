//@ verdict: race
//@ race: sum|*total 10 10
//@ about: a local variable of main is shared through a pointer
#include <pthread.h>
#include <stdio.h>

static void *add(void *arg)
{
    int *total = arg;
    *total += 21;
    return NULL;
}

int main(void)
{
    int sum = 0;
    pthread_t a, b;
    pthread_create(&a, NULL, add, &sum);
    pthread_create(&b, NULL, add, &sum);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", sum);
    return 0;
}
