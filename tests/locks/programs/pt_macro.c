// Locks taken by macros that do nothing else.
#include <pthread.h>
#define LOCK(m) pthread_mutex_lock(m)
#define UNLOCK(m) do { pthread_mutex_unlock(m); } while (0)
#define ENTER pthread_mutex_lock(&own)
#define LEAVE pthread_mutex_unlock(&own)
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
static int count, slots[2];
static void *work(void *p) {
    long me = (long)p;
    LOCK(&m); //@ needed race
    count++;
    count += count > 1;
    UNLOCK(&m);
    ENTER; //@ superfluous
    slots[me] = 1;
    LEAVE;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, (void *)0);
    pthread_create(&b, 0, work, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return count + slots[0] + slots[1];
}
