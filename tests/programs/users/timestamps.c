//@ verdict: race-free
//@ about: timestamps by strftime and elapsed time are mere data
#include <pthread.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void say(const char *s)
{
    char b[64];
    time_t t = time(NULL);
    struct tm tm;
    localtime_r(&t, &tm);
    strftime(b, sizeof b, "%Y-%m-%d %H:%M:%S", &tm);
    pthread_mutex_lock(&m);
    n++;
    printf("[%s] %s", b, s);
    pthread_mutex_unlock(&m);
}
static void *w(void *a)
{
    say(a);
    return 0;
}
int main(void)
{
    struct timeval x, y;
    gettimeofday(&x, NULL);
    pthread_t t;
    pthread_create(&t, 0, w, "x\n");
    say("y\n");
    pthread_join(t, 0);
    gettimeofday(&y, NULL);
    printf("%f s %s", (y.tv_sec - x.tv_sec) + (y.tv_usec - x.tv_usec) / 1e6, ctime(&x.tv_sec));
    printf("%d\n", n);
}
