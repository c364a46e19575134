// A vector with a lock for its storage but none for its size: two threads append at the same place. A log that both write
// without protection comes first in time.
#include <pthread.h>
#include "pace.h"

struct entry { int who, what, when; };
static struct entry entries[8];
static int size, log_lines, log_bytes;
static pthread_mutex_t storage = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *argument)
{
    int self = *(int *)argument;
    log_lines = log_lines + 1;
    log_bytes = log_bytes + 80;
    for (int i = 0; i < 2; i++) {
        int at = size; // planted
        pause_for(2);
        size = at + 1; // planted
        entries[at].who = self;
        entries[at].what = i;
        entries[at].when = entries[at].when + 1;
        pthread_mutex_lock(&storage);
        pthread_mutex_unlock(&storage);
        if (entries[at].who != self)
            entries[at].what = -1;
    }
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
