//@ verdict: race
//@ about: once answered wrongly because the thread-local instances of a thread are not part of the fingerprint
//@ race: x 35 44
//@ about: which thread-local variable got its instance first depends on the schedule; the states must be told apart
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
_Thread_local int a, b;
int turn, x;

void *setter(void *arg)
{
    pthread_mutex_lock(&m);
    turn = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

void *user(void *arg)
{
    pthread_mutex_lock(&m);
    int before = turn;
    pthread_mutex_unlock(&m);
    if (before) {
        a = 1;
        b = 2;
    } else {
        b = 1;
        a = 2;
    }
    pthread_mutex_lock(&m);
    int after = turn;
    pthread_mutex_unlock(&m);
    if (after && a == 2)
        x = 5;
    return arg;
}

int main(void)
{
    pthread_t s, u;
    pthread_create(&s, 0, setter, 0);
    pthread_create(&u, 0, user, 0);
    x = 1;
    pthread_join(s, 0);
    pthread_join(u, 0);
    return 0;
}
