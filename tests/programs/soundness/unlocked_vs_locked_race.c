//@ verdict: race
//@ races: at-least
//@ about: putchar_unlocked beside printf
#include <pthread.h>
#include <stdio.h>
static void *a(void *_) { putchar_unlocked('a'); return 0; }
static void *b(void *_) { printf("b"); return 0; }
int main(void) { pthread_t x, y; pthread_create(&x, 0, a, 0); pthread_create(&y, 0, b, 0); pthread_join(x, 0); pthread_join(y, 0); return 0; }
