//@ verdict: race
//@ about: once answered wrongly because the read of the attributes is not recorded
//@ race: attributes|attributes.__align|attributes.__size[*] 12 22
//@ about: pthread_mutex_init reads the attributes
#include <pthread.h>

pthread_mutexattr_t attributes;
pthread_mutex_t m;

void *work(void *arg)
{
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_init(&attributes);
    pthread_create(&t, 0, work, 0);

    pthread_mutex_init(&m, &attributes);
    pthread_join(t, 0);
    return 0;
}
