//@ verdict: defect
//@ defect: use-after-free 25
//@ about: a thread's result points to a local variable of the ended thread
#include <pthread.h>
#include <stdio.h>

struct result {
    int *value;
};

static void *worker(void *arg)
{
    struct result *r = arg;
    int local = 5;
    r->value = &local;
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct result r;
    pthread_create(&t, NULL, worker, &r);
    pthread_join(t, NULL);
    printf("%d\n", *r.value);
    return 0;
}
