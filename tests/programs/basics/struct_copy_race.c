//@ verdict: race
//@ race: config|config.limit 27 19
//@ about: copying a whole struct reads the member that another thread updates
#include <pthread.h>
#include <stdio.h>

struct config {
    int verbose;
    int limit;
    double factor;
    char name[16];
};

static struct config config = {1, 10, 0.5, "default"};

static void *update(void *arg)
{
    (void)arg;
    config.limit = 20;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, update, NULL);
    struct config snapshot = config;
    pthread_join(t, NULL);
    printf("%s %d\n", snapshot.name, snapshot.verbose);
    return 0;
}
