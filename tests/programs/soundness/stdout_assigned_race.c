//@ verdict: race
//@ races: at-least
//@ about: stdout is assigned beside printf
#include <pthread.h>
#include <stdio.h>
void*f(void*a){stdout=stderr;return 0;}
int main(void){pthread_t t;pthread_create(&t,0,f,0);printf("x\n");pthread_join(t,0);return 0;}
