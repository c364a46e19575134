//@ verdict: defect
//@ defect: misuse 5
//@ about: a stream that was closed
#include <stdio.h>
int main(void) { fclose(stdout); printf("x"); return 0; }
