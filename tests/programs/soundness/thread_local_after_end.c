//@ verdict: defect
//@ about: once answered wrongly because thread-local objects stay alive when their thread ends
//@ defect: use-after-free 22
//@ about: a thread's thread-local variable ends with the thread
#include <pthread.h>

_Thread_local int v;

void *work(void *arg)
{
    (void)arg;
    v = 1;
    return &v;
}

int main(void)
{
    pthread_t t;
    void *p;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, &p);
    return *(int *)p != 1;
}
