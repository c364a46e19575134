//@ verdict: race
//@ race: found 15 15
//@ about: two threads that write the same value still race
#include <pthread.h>
#include <stddef.h>

static const int haystack[4] = {3, 8, 8, 1};
static int found;

static void *search(void *arg)
{
    const int *part = arg;
    for (int i = 0; i < 2; i++)
        if (part[i] == 8)
            found = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, search, (void *)&haystack[0]);
    pthread_create(&b, NULL, search, (void *)&haystack[2]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return !found;
}
