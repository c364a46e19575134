//@ verdict: race
//@ race: a[2] 16 16
//@ options: --arg 1..3 --arg 2..3
//@ about: only width 3 with stride 2 makes the ranges of the two threads overlap
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int a[8];
static int width, stride;

static void *fill(void *arg)
{
    int me = *(int *)arg;
    for (int i = 0; i < width; i++)
        a[me * stride + i] = me;
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s WIDTH STRIDE\n", argv[0]);
        return 2;
    }
    width = atoi(argv[1]);
    stride = atoi(argv[2]);
    pthread_t t;
    int id[2] = {0, 1};
    pthread_create(&t, NULL, fill, &id[1]);
    fill(&id[0]);
    pthread_join(t, NULL);
    return 0;
}
