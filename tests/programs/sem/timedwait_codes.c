//@ verdict: race-free
//@ about: semaphores: bad deadlines, values that are too large, and the largest value
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <time.h>

int main(void)
{
    sem_t s;
    struct timespec above = {1, 1000000000}, past = {1, 0};
    assert(sem_init(&s, 0, (unsigned)INT_MAX + 1) == -1 && errno == EINVAL);
    assert(sem_init(&s, 0, 1) == 0);
    assert(sem_timedwait(&s, &past) == 0);
    assert(sem_timedwait(&s, &above) == -1 && errno == EINVAL);
    assert(sem_timedwait(&s, &past) == -1 && errno == ETIMEDOUT);
    assert(sem_clockwait(&s, 99, &past) == -1 && errno == EINVAL);
    assert(sem_trywait(&s) == -1 && errno == EAGAIN);
    sem_destroy(&s);
    assert(sem_init(&s, 0, INT_MAX) == 0);
    assert(sem_post(&s) == -1 && errno == EOVERFLOW);
    sem_destroy(&s);
    return 0;
}
