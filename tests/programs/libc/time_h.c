//@ verdict: race-free
//@ about: clocks as data, and calendar arithmetic on a fixed time
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static double elapsed[2];

static void *measure(void *arg)
{
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    usleep(1);
    nanosleep(&(struct timespec){.tv_nsec = 10}, NULL);
    clock_gettime(CLOCK_MONOTONIC, &b);
    *(double *)arg = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, measure, &elapsed[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    struct timeval tv;
    gettimeofday(&tv, NULL);
    time_t now = time(NULL);
    clock_t used = clock();
    (void)now;
    (void)used;
    assert(difftime(100, 40) == 60.0);
    time_t moment = 951827696; /* 2000-02-29 12:34:56 UTC */
    struct tm tm;
    assert(gmtime_r(&moment, &tm) == &tm);
    assert(tm.tm_year == 100 && tm.tm_mon == 1 && tm.tm_mday == 29);
    assert(tm.tm_hour == 12 && tm.tm_min == 34 && tm.tm_sec == 56 && tm.tm_wday == 2 && tm.tm_yday == 59);
    char text[32];
    assert(strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm) == 19);
    assert(strcmp(text, "2000-02-29 12:34:56") == 0);
    return 0;
}
