//@ verdict: race
//@ races: at-least
//@ about: setlocale beside what depends on the locale
#include <pthread.h>
#include <locale.h>
#include <stdio.h>
static void *a(void *_) { setlocale(LC_ALL, "C"); return 0; }
static void *b(void *_) { printf("%f", 1.5); return 0; }
int main(void) { pthread_t x, y; pthread_create(&x, 0, a, 0); pthread_create(&y, 0, b, 0); pthread_join(x, 0); pthread_join(y, 0); return 0; }
