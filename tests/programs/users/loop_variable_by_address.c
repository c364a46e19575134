//@ verdict: race
//@ race: i 8 15
//@ about: every thread gets the address of the loop variable
#include <pthread.h>
#include <stdio.h>
static void *w(void *p)
{
    int i = *(int *)p;
    printf("%d\n", i);
    return 0;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, w, &i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
