/* Dining philosophers who all reach for the left fork first. `raceproof check philosophers.c` shows the schedule in
 * which each holds one fork and waits for the other: a deadlock, though nothing races.
 * `raceproof check --define CURED=1 philosophers.c` checks the usual cure: the last one reaches for the right fork first. */
#include <pthread.h>
#include <stdio.h>

#define PHILOSOPHERS 3

static pthread_mutex_t forks[PHILOSOPHERS];
static int meals[PHILOSOPHERS];

static void *dine(void *arg)
{
    int me = *(int *)arg;
    int first = me, second = (me + 1) % PHILOSOPHERS;
#ifdef CURED
    if (me == PHILOSOPHERS - 1) {
        first = 0;
        second = me;
    }
#endif
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    meals[me]++;
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return NULL;
}

int main(void)
{
    pthread_t threads[PHILOSOPHERS];
    int seats[PHILOSOPHERS];
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (int i = 0; i < PHILOSOPHERS; i++) {
        seats[i] = i;
        pthread_create(&threads[i], NULL, dine, &seats[i]);
    }
    int total = 0;
    for (int i = 0; i < PHILOSOPHERS; i++) {
        pthread_join(threads[i], NULL);
        total += meals[i];
    }
    printf("%d meals\n", total);
    return 0;
}
