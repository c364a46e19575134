//@ verdict: race
//@ race: lookups 15 15
//@ about: two readers hold the lock together and both update a statistic
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int table[4] = {1, 2, 4, 8};
static int lookups;

static void *lookup(void *arg)
{
    int i = *(int *)arg;
    pthread_rwlock_rdlock(&lock);
    lookups++;
    int v = table[i];
    pthread_rwlock_unlock(&lock);
    printf("%d\n", v);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int one = 1, two = 2;
    pthread_create(&a, NULL, lookup, &one);
    pthread_create(&b, NULL, lookup, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
