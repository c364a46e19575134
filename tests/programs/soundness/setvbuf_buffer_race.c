//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: the buffer of a stream
#include <pthread.h>
#include <stdio.h>
char b[64];
void*f(void*a){fputs("x",stdout);return 0;}
int main(void){setvbuf(stdout,b,_IOFBF,64);pthread_t t;pthread_create(&t,0,f,0);b[0]=1;pthread_join(t,0);return 0;}
