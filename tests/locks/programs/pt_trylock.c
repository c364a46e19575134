// What is done depends on whether a lock could be taken: locksets of all executions.
#include <pthread.h>
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *work(void *p) {
    (void)p;
    pthread_mutex_lock(&outer); //@ needed race
    pthread_mutex_lock(&inner); //@ superfluous
    count++;
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    if (pthread_mutex_trylock(&outer) == 0) {
        count++;
        pthread_mutex_unlock(&outer);
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return count;
}
