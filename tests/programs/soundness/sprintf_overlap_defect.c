//@ verdict: defect
//@ defect: misuse 6
//@ about: sprintf onto its own argument
#include <stdio.h>
char b[16]="abc";
int main(void){sprintf(b,"%sx",b);return 0;}
