//@ verdict: defect
//@ defect: misuse 11
//@ about: C11 threads: a thread that was joined must not be detached
#include <threads.h>
static int work(void *arg) { (void)arg; return 0; }
int main(void)
{
    thrd_t t;
    thrd_create(&t, work, 0);
    thrd_join(t, 0);
    thrd_detach(t);
    return 0;
}
