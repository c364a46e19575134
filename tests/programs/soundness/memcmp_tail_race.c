//@ verdict: race
//@ races: at-least
//@ about: memcmp looks at all that it compares
/* As memcmp_oob.defect.c. */
#include <pthread.h>
#include <string.h>
char a[8] = "abcdefg", b[8] = "xbcdefg";
static void *f(void *_) { a[7] = 1; return 0; }
int main(void) { pthread_t t; volatile size_t n = 8; pthread_create(&t, 0, f, 0); int r = memcmp(a, b, n); pthread_join(t, 0); return r == 0; }
