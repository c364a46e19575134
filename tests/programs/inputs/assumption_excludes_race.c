//@ verdict: race-free
//@ about: runs that break an assumption do not count
#include <pthread.h>
#include <stddef.h>

extern int raceproof_range(int lo, int hi);
extern void __VERIFIER_assume(int condition);

static int a[4];
static int index_of[2];

static void *worker(void *arg)
{
    a[*(int *)arg]++;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        index_of[i] = raceproof_range(0, 3);
    __VERIFIER_assume(index_of[0] != index_of[1]);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &index_of[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
