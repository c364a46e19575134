//@ verdict: defect
//@ defect: abort 7
//@ about: an exception that leaves a thread's first function ends the program; the creator cannot catch it
#include <pthread.h>

extern "C" void *work(void *) {
    throw 1;
}
int main() {
    try {
        pthread_t t;
        pthread_create(&t, nullptr, work, nullptr);
        pthread_join(t, nullptr);
    } catch (int) {
    }
}
