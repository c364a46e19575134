//@ verdict: race
//@ race: progress 12 30
//@ about: joining the child does not order the grandchild that the child left running
#include <pthread.h>
#include <stdio.h>

static int progress;

static void *grandchild(void *arg)
{
    (void)arg;
    progress = 100;
    return NULL;
}

static void *child(void *arg)
{
    (void)arg;
    pthread_t t;
    pthread_create(&t, NULL, grandchild, NULL);
    pthread_detach(t);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, child, NULL);
    pthread_join(t, NULL);
    printf("%d\n", progress);
    return 0;
}
