//@ verdict: defect
//@ defect: out-of-bounds 13
//@ options: --define N=1..3
//@ about: only the largest value of the macro leads out of the array
#include <pthread.h>
#include <stddef.h>

static int part[2];

static void *worker(void *arg)
{
    int i = *(int *)arg;
    part[i] = 5;
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    int id[N];
    for (int i = 0; i < N; i++) {
        id[i] = i;
        pthread_create(&t[i], NULL, worker, &id[i]);
        pthread_join(t[i], NULL);
    }
    return 0;
}
