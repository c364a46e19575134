//@ verdict: defect
//@ defect: assertion 31
//@ options: --engine race-graph
//@ about: threads alike but for pthread_self: any of them can be first
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t winner;
static int won;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    if (!won) {
        won = 1;
        winner = pthread_self();
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    /* b can be the winner */
    assert(pthread_equal(winner, a));
    return 0;
}
