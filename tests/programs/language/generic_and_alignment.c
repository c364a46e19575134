//@ verdict: race-free
//@ about: _Generic, _Alignas, _Alignof, _Static_assert, _Noreturn, inline, restrict, typeof, statement expressions
#include <assert.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define kind(x) _Generic((x), int: "int", double: "double", char *: "string", const int *: "pointer", default: "other")
#define max(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })

_Static_assert(sizeof(int) == 4, "int has four bytes");

static _Alignas(64) char line[64];
struct aligned {
    char c;
    _Alignas(16) int n;
};

static inline void add(int *restrict to, const int *restrict from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] += from[i];
}

static _Noreturn void finish(int code)
{
    exit(code);
}

int main(void)
{
    const int ten = 10;
    assert(strcmp(kind(1), "int") == 0 && strcmp(kind(1.0), "double") == 0);
    assert(strcmp(kind((char *)line), "string") == 0 && strcmp(kind(&ten), "pointer") == 0);
    assert(strcmp(kind(1u), "other") == 0);
    assert(max(3, 7) == 7 && max(2.5, 1) == 2.5);
    assert((uintptr_t)line % 64 == 0 && alignof(struct aligned) == 16);
    assert(sizeof(struct aligned) == 32);
    struct aligned a[2];
    assert((uintptr_t)&a[1].n % 16 == 0);
    int x[3] = {1, 2, 3}, y[3] = {10, 20, 30};
    add(x, y, 3);
    assert(x[2] == 33);
    int i = 0, j;
    j = (i++, i += 5, i * 2);
    assert(i == 6 && j == 12);
    int r = i > 5 ? j > 20 ? 1 : 2 : 3;
    assert(r == 2);
    assert((i && !j) == 0 && (i || (i = 0)) && i == 6);
    const volatile int cv = 4;
    assert(cv + cv == 8);
    finish(0);
}
