//@ verdict: defect
//@ defect: out-of-bounds 12
//@ about: a loop writes one element past a heap array
#include <pthread.h>
#include <stdlib.h>

static void *fill(void *arg)
{
    int n = *(int *)arg;
    int *a = malloc((size_t)n * sizeof *a);
    for (int i = 0; i <= n; i++)
        a[i] = i;
    free(a);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int n = 5;
    pthread_create(&t, NULL, fill, &n);
    pthread_join(t, NULL);
    return 0;
}
