//@ verdict: race
//@ races: at-least
//@ about: a relaxed atomic of 24 bytes orders nothing
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <errno.h>
typedef struct{long a[3];}P3;_Atomic P3 A;int data;
static void*ta(void*p){(void)p;data=1;P3 v={{1,1,1}};atomic_store_explicit(&A,v,memory_order_relaxed);return 0;}
static void*tb(void*p){(void)p;P3 v=atomic_load_explicit(&A,memory_order_relaxed);if(v.a[0])data++;return 0;}
int main(void){pthread_t x,y,z;(void)z;pthread_create(&x,0,ta,0);pthread_create(&y,0,tb,0);pthread_join(x,0);pthread_join(y,0);return 0;}
