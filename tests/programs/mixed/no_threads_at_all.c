//@ verdict: race-free
//@ races-verdict: race-free
//@ defects-verdict: none
//@ about: a program of one thread is race-free by itself
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    puts("hello");
    return 0;
}
