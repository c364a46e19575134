// Double buffering: one thread fills the buffer that is not current and then swaps; the pointer has no protection, so
// the other reads the buffer that is being filled.
#include <pthread.h>
#include "pace.h"

struct frame { int width, height, stamp, pixels[3]; };
static struct frame frames[2];
static struct frame *current = &frames[0];
static int shown;

static void *worker(void *argument)
{
    int self = *(int *)argument;
    for (int round = 0; round < 3; round++) {
        if (self == 0) {
            struct frame *spare = current == &frames[0] ? &frames[1] : &frames[0]; // planted
            spare->width = 640;
            spare->height = 480;
            for (int i = 0; i < 3; i++)
                spare->pixels[i] = round;
            spare->stamp = round;
            current = spare; // planted
            pause_for(2);
        } else {
            pause_for(1);
            struct frame *seen = current; // planted
            int area = seen->width * seen->height;
            for (int i = 0; i < 3; i++)
                area = area + seen->pixels[i];
            shown = area + seen->stamp;
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
