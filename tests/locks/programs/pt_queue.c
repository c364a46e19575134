// Who takes which job depends on the schedule.
#include <pthread.h>
#define JOBS 3
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER, result = PTHREAD_MUTEX_INITIALIZER;
static int next, sum, done[JOBS];
static void *work(void *p) {
    (void)p;
    for (;;) {
        pthread_mutex_lock(&queue); //@ needed race
        int job = next < JOBS ? next++ : -1;
        pthread_mutex_unlock(&queue);
        if (job < 0)
            return 0;
        pthread_mutex_lock(&result); //@ needed race, shrink
        done[job] = job * job;
        sum += job;
        pthread_mutex_unlock(&result);
    }
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return sum + done[0];
}
