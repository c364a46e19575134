// A message is handed over by a plain flag: everything in it races, because nothing orders it but the flag.
#include <pthread.h>
#include "pace.h"

struct message { int from, to, length, kind, sum; char text[4]; };
static struct message box;
static int ready;
static int seen;

static void *worker(void *argument)
{
    int self = *(int *)argument;
    if (self == 0) {
        box.from = 1;
        box.to = 2;
        box.length = 3;
        box.kind = 4;
        for (int i = 0; i < 4; i++)
            box.text[i] = 'a';
        box.sum = 10;
        ready = 1; // planted
    } else {
        pause_for(3);
        if (ready) { // planted
            seen = box.from + box.to;
            seen = seen + box.length + box.kind;
            for (int i = 0; i < 4; i++)
                seen = seen + box.text[i];
            seen = seen + box.sum;
            box.kind = 0;
        }
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
