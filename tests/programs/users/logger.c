//@ verdict: race-free
//@ about: a logger with variable arguments, levels and a date
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
static pthread_mutex_t lk = PTHREAD_MUTEX_INITIALIZER;
static char line[256];
static int count;
enum level { DEBUG, INFO, WARN };
static const char *const names[] = {"DEBUG", "INFO", "WARN"};
static void logf_(enum level l, const char *fmt, ...)
{
    va_list ap;
    pthread_mutex_lock(&lk);
    int n = snprintf(line, sizeof line, "[%-5s] ", names[l]);
    va_start(ap, fmt);
    vsnprintf(line + n, sizeof line - n, fmt, ap);
    va_end(ap);
    fprintf(stderr, "%s\n", line);
    count++;
    pthread_mutex_unlock(&lk);
}
static void *w(void *a)
{
    for (int i = 0; i < 2; i++)
        logf_(i ? WARN : INFO, "thread %s step %d pi=%.3f", (char *)a, i, 3.14159);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    time_t now = time(NULL);
    struct tm *tm = localtime(&now);
    printf("start %d\n", tm->tm_year + 1900);
    pthread_create(&a, 0, w, "a");
    pthread_create(&b, 0, w, "b");
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d lines\n", count);
}
