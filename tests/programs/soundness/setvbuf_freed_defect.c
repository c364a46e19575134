//@ verdict: defect
//@ undecided: not followed
//@ about: the buffer of a stream
#include <stdio.h>
#include <stdlib.h>
int main(void){char*b=malloc(64);setvbuf(stdout,b,_IOFBF,64);free(b);printf("hello\n");return 0;}
