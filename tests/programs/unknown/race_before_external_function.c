//@ verdict: race
//@ race: count 13 13
//@ about: a race that happens before the unknown function is still a race
#include <pthread.h>
#include <stddef.h>

__attribute__((weak)) extern void report_to_server(int value);

static int count;

static void *worker(void *arg)
{
    count++;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (report_to_server)
        report_to_server(count);
    return 0;
}
