#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits;

static void *serve(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    hits++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t server;
    pthread_create(&server, NULL, serve, NULL);
    pthread_mutex_lock(&lock);
    printf("%d hits so far\n", hits);
    pthread_mutex_unlock(&lock);
    pthread_join(server, NULL);
    return 0;
}
