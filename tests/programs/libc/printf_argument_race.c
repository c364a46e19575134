//@ verdict: race
//@ race: name|name[*] 12 20
//@ about: printf reads the string that another thread writes
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char name[16] = "nobody";

static void *rename_it(void *arg)
{
    strcpy(name, arg);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, rename_it, "somebody");
    printf("hello %s\n", name);
    pthread_join(t, NULL);
    return 0;
}
