//@ verdict: race
//@ race: m->id 25 40
//@ about: the sender still changes the message after it was handed over
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct message {
    int id;
    int length;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static struct message *mailbox;

static void *sender(void *arg)
{
    struct message *m = arg;
    m->length = 3;
    pthread_mutex_lock(&lock);
    mailbox = m;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&lock);
    m->id = 8;
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct message *buffer = calloc(1, sizeof *buffer);
    pthread_create(&t, NULL, sender, buffer);
    pthread_mutex_lock(&lock);
    while (!mailbox)
        pthread_cond_wait(&arrived, &lock);
    struct message *m = mailbox;
    pthread_mutex_unlock(&lock);
    printf("%d %d\n", m->length,
           m->id);
    pthread_join(t, NULL);
    free(buffer);
    return 0;
}
