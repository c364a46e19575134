//@ verdict: race-free
//@ about: a pointer of which nothing is known is compared, not used
#include <pthread.h>
#include <stddef.h>
extern void *__VERIFIER_nondet_pointer(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern size_t __VERIFIER_nondet_size_t(void);
extern unsigned char __VERIFIER_nondet_u8(void);

static int x;

static void *worker(void *arg)
{
    x = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    int ready = 0;
    if (__VERIFIER_nondet_pointer() != NULL)
        ready++;
    if (__VERIFIER_nondet_ulong() > 5000000000ul)
        ready++;
    if (__VERIFIER_nondet_longlong() < -1)
        ready++;
    if (__VERIFIER_nondet_ushort() == 65535)
        ready++;
    if (__VERIFIER_nondet_bool())
        ready++;
    if (__VERIFIER_nondet_size_t() / 3 == 7)
        ready++;
    if (__VERIFIER_nondet_u8() >= 256)
        ready = 100;
    if (ready > 6) {
        x = 2;
        return 1;
    }
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    x = 3;
    return 0;
}
