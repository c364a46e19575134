//@ verdict: race
//@ race: flag 12 24
//@ about: a detached thread that an input lets outlive main's last write
#include <pthread.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

static int flag;

static void *worker(void *arg)
{
    flag = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    int n = __VERIFIER_nondet_int();
    if (n < -5) {
        pthread_create(&t, NULL, worker, NULL);
        pthread_detach(t);
    }
    flag = 2;
    pthread_exit(NULL);
}
