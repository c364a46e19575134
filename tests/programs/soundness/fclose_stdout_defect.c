//@ verdict: defect
//@ about: a stream that was closed
#include <stdio.h>
int main(void) { fclose(stdout); printf("x"); return 0; }
