//@ verdict: race-free
//@ about: what has a state of the caller's, or only asks, may be called by several threads: lgamma_r, mbrtowc, mbstowcs, setlocale(NULL), rand
#define _GNU_SOURCE
#include <assert.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
static void *f(void *p)
{
    int sign;
    assert(fabs(lgamma_r(-0.5, &sign) - 1.2655121234846454) < 1e-9 && sign == -1);
    mbstate_t state = {0};
    wchar_t w, text[4];
    assert(mbrtowc(&w, "a", 1, &state) == 1 && w == L'a');
    assert(mbstowcs(text, "abc", 4) == 3);
    assert(strcmp(setlocale(LC_ALL, 0), "C") == 0);
    (void)rand();
    return p;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    f(0);
    pthread_join(t, 0);
    assert(lgamma(3.0) > 0.69 && signgam == 1);
    return 0;
}
