//@ verdict: race
//@ about: once answered wrongly because output records no read of the buffer
//@ races: at-least
//@ race: buf[*]|buf 15 24
//@ about: fwrite and write read the buffer
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

char buf[8] = "abcdefg";

void *work(void *arg)
{
    (void)arg;
    buf[2] = 'x';
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);

    if (write(1, buf, 8) < 0)
        return 1;
    pthread_join(t, 0);
    return 0;
}
