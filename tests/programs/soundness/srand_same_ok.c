//@ verdict: race-free
//@ undecided: not followed
//@ about: the same seed repeats the sequence
#include <stdlib.h>
#include <assert.h>
int main(void) { srand(1); int a = rand(); srand(1); int b = rand(); assert(a == b); return 0; }
