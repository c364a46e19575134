#include <stdio.h>
#include <stdlib.h>
static void a(void) { puts("a"); }
static void b(void) { puts("b"); }
static void q(void) { puts("q"); fflush(stdout); }
__attribute__((destructor)) static void d(void) { puts("dtor"); }
__attribute__((constructor)) static void c(void) { puts("ctor"); }
int main(int argc, char **argv) { atexit(a); atexit(b); at_quick_exit(q); puts("main"); fflush(stdout); if (argc > 5) quick_exit(3); return 0; }
