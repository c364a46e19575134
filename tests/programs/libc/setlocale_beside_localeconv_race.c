//@ verdict: race
//@ races: at-least
//@ about: setlocale beside localeconv (C11 7.11.2.1p4)
#include <locale.h>
#include <pthread.h>
static void *f(void *p)
{
    setlocale(LC_ALL, "C");
    return p;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    char c = *localeconv()->decimal_point;
    pthread_join(t, 0);
    return c != '.';
}
