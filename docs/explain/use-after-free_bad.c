#include <pthread.h>

void *report(void *arg) {
    return (void *)(long)*(int *)arg;
}

pthread_t start(void) {
    int number = 7; // ends with this function, perhaps before the thread has read it
    pthread_t thread;
    pthread_create(&thread, 0, report, &number);
    return thread;
}

int main(void) {
    pthread_t thread = start();
    pthread_join(thread, 0);
    return 0;
}
