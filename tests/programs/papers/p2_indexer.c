//@ verdict: race-free
//@ about: Goldilocks, section 7 (from Flanagan and Godefroid): threads insert words into one hash table, each into slots of its own
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 4
#endif
#define SIZE 128
#define WORDS 3

static atomic_int table[SIZE];

static int word(int thread, int number)
{
    return number * 11 + thread + 1;
}

/* The slots look shared, but with few threads no two of them ever meet in one. */
static void *insert(void *arg)
{
    int thread = (int)(intptr_t)arg;
    for (int number = 0; number < WORDS; number++) {
        int w = word(thread, number), slot = w * 7 % SIZE, empty = 0;
        while (!atomic_compare_exchange_strong(&table[slot], &empty, w)) {
            slot = (slot + 1) % SIZE;
            empty = 0;
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, insert, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    int used = 0;
    for (int i = 0; i < SIZE; i++)
        used += atomic_load(&table[i]) != 0;
    assert(used == THREADS * WORDS);
    return 0;
}
