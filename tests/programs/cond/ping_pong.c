//@ verdict: race-free
//@ about: two threads take turns with two condition variables; the order of their writes is fixed
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_changed[2];
static int turn;
static char rally[5];
static int hits;

static void play(int me, char mark)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        while (turn != me)
            pthread_cond_wait(&turn_changed[me], &lock);
        rally[hits++] = mark;
        turn = 1 - me;
        pthread_cond_signal(&turn_changed[1 - me]);
        pthread_mutex_unlock(&lock);
    }
}

static void *pong(void *arg)
{
    (void)arg;
    play(1, 'o');
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_cond_init(&turn_changed[0], NULL);
    pthread_cond_init(&turn_changed[1], NULL);
    pthread_create(&t, NULL, pong, NULL);
    play(0, 'i');
    pthread_join(t, NULL);
    assert(hits == 4);
    assert(rally[0] == 'i' && rally[1] == 'o' && rally[2] == 'i' && rally[3] == 'o');
    return 0;
}
