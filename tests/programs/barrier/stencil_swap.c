//@ verdict: race-free
//@ about: a stencil with two buffers and one barrier an iteration
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define N 4
#define STEPS 2
static int grid[2][N] = {{8, 0, 0, 8}, {8, 0, 0, 8}};
static pthread_barrier_t barrier;

static void *relax(void *arg)
{
    int i = *(int *)arg;
    for (int step = 0; step < STEPS; step++) {
        int(*from)[N] = &grid[step % 2];
        int(*to)[N] = &grid[1 - step % 2];
        (*to)[i] = ((*from)[i - 1] + (*from)[i + 1]) / 2;
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int index[2] = {1, 2};
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, relax, &index[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(grid[0][1] == 6 && grid[0][2] == 6);
    pthread_barrier_destroy(&barrier);
    return 0;
}
