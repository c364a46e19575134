//@ verdict: race
//@ race: result 15 24
//@ about: main uses the result before it joins the thread that computes it
#include <pthread.h>
#include <stdio.h>

static int result;

static void *compute(void *arg)
{
    int n = *(int *)arg;
    int sum = 0;
    for (int i = 1; i <= n; i++)
        sum += i;
    result = sum;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int n = 10;
    pthread_create(&t, NULL, compute, &n);
    printf("sum = %d\n", result);
    pthread_join(t, NULL);
    printf("sum = %d\n", result);
    return 0;
}
