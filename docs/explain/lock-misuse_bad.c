#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    if (pthread_mutex_trylock(&lock) != 0)
        return 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock); // not held any more
    return 0;
}
