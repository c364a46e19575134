//@ verdict: defect
//@ defect: out-of-bounds 6
//@ about: memcmp looks at all that it compares
#include <string.h>
char a[4] = "abc", b[4] = "xbc";
int main(void) { volatile size_t n = 100; return memcmp(a, b, n) == 0; }
