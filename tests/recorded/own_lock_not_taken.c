// record: race counter
// A lock of the program's own, annotated for ThreadSanitizer, and a thread that does not take it.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
void __tsan_mutex_pre_lock(void *m, unsigned flags);
void __tsan_mutex_post_lock(void *m, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void *m, unsigned flags);
void __tsan_mutex_post_unlock(void *m, unsigned flags);
static volatile char taken;
static int counter;
// The accesses of the lock itself are nobody's business.
__attribute__((no_sanitize("thread"))) static int grab(void) { return __sync_lock_test_and_set(&taken, 1); }
__attribute__((no_sanitize("thread"))) static void drop(void) { __sync_lock_release(&taken); }
static void *work(void *argument) {
    if (argument) {
        counter++; //!
        return argument;
    }
    for (int i = 0; i < 1; i++) {
        __tsan_mutex_pre_lock((void *)&taken, 0);
        while (grab()) sched_yield();
        __tsan_mutex_post_lock((void *)&taken, 0, 0);
        counter++; //!
        __tsan_mutex_pre_unlock((void *)&taken, 0);
        drop();
        __tsan_mutex_post_unlock((void *)&taken, 0);
    }
    return argument;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, i ? &counter : 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    printf("%d\n", counter);
    return 0;
}
