//@ verdict: race
//@ race: line|line[*] 11 11
//@ about: two threads format into the same buffer
#include <pthread.h>
#include <stdio.h>

static char line[64];

static void *report(void *arg)
{
    snprintf(line, sizeof line, "value %d", *(int *)arg);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int x = 1, y = 2;
    pthread_create(&a, NULL, report, &x);
    pthread_create(&b, NULL, report, &y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    puts(line);
    return 0;
}
