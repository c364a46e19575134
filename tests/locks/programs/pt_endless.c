// A thread that waits for what nobody will do: the run does not end, and the locks are judged all the same.
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
static int x;
static void *waits(void *p) {
    pthread_mutex_lock(&m); //@ needed race, atomic
    x++;
    pthread_mutex_unlock(&m);
    while (atomic_load(&flag) != 1) {
    }
    return p;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, waits, 0);
    pthread_create(&b, 0, waits, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return x;
}
