//@ verdict: defect
//@ undecided: not followed
//@ about: the buffer of a stream
#include <stdio.h>
__attribute__((noinline)) static void setup(void){char b[64];setvbuf(stdout,b,_IOFBF,64);}
/* C11 7.21.5.6 note: the buffer must live at least as long as the open stream */
int main(void){setup();printf("hello\n");return 0;}
