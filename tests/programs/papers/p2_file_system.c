//@ verdict: race-free
//@ about: Goldilocks, section 7 (from Flanagan and Godefroid): inodes and blocks under locks of their own, which no two threads share
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 4
#endif
#define BLOCKS 26
#define INODES 32

static pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
static int inode[INODES];
static bool busy[BLOCKS];

static void *create_file(void *arg)
{
    int i = (int)(intptr_t)arg % INODES;
    pthread_mutex_lock(&inode_lock[i]);
    if (inode[i] == 0) {
        for (int b = i * 2 % BLOCKS;; b = (b + 1) % BLOCKS) {
            pthread_mutex_lock(&block_lock[b]);
            bool mine = !busy[b];
            if (mine) {
                busy[b] = true;
                inode[i] = b + 1;
            }
            pthread_mutex_unlock(&block_lock[b]);
            if (mine)
                break;
        }
    }
    pthread_mutex_unlock(&inode_lock[i]);
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inode_lock[i], NULL);
    for (int b = 0; b < BLOCKS; b++)
        pthread_mutex_init(&block_lock[b], NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, create_file, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < THREADS; i++)
        assert(inode[i] == i * 2 % BLOCKS + 1);
    return 0;
}
