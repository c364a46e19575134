//@ verdict: race-free
//@ about: what was handed over under the lock may be used without it afterwards
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct message {
    int id;
    double payload[2];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static struct message *mailbox;

static void *sender(void *arg)
{
    struct message *m = malloc(sizeof *m);
    m->id = *(int *)arg;
    m->payload[0] = 0.25;
    m->payload[1] = 0.75;
    pthread_mutex_lock(&lock);
    mailbox = m;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&arrived);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int id = 7;
    pthread_create(&t, NULL, sender, &id);
    pthread_mutex_lock(&lock);
    while (!mailbox)
        pthread_cond_wait(&arrived, &lock);
    struct message *m = mailbox;
    pthread_mutex_unlock(&lock);
    m->payload[0] += m->payload[1];
    assert(m->id == 7 && m->payload[0] == 1.0);
    free(m);
    pthread_join(t, NULL);
    return 0;
}
