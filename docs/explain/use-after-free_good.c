#include <pthread.h>

void *report(void *arg) {
    return (void *)(long)*(int *)arg;
}

int main(void) {
    int number = 7; // lives until main ends, and main waits for the thread
    pthread_t thread;
    pthread_create(&thread, 0, report, &number);
    pthread_join(thread, 0);
    return 0;
}
