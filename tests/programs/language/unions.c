//@ verdict: race-free
//@ about: unions, type punning through them, tagged unions, anonymous members
#include <assert.h>
#include <stdint.h>

union number {
    float f;
    uint32_t bits;
    unsigned char bytes[4];
};

struct value {
    enum { INT, REAL, TEXT } kind;
    union {
        int i;
        double r;
        const char *s;
    };
};

static double as_double(struct value v)
{
    switch (v.kind) {
    case INT:
        return v.i;
    case REAL:
        return v.r;
    case TEXT:
        return v.s[0];
    }
    return -1;
}

static union number make(float f)
{
    union number n = {.f = f};
    return n;
}

int main(void)
{
    union number n = make(1.0f);
    assert(n.bits == 0x3f800000u && n.bytes[3] == 0x3f);
    n.bits |= 0x80000000u;
    assert(n.f == -1.0f);
    struct value v[] = {{INT, .i = 3}, {REAL, .r = 2.5}, {TEXT, .s = "A"}};
    assert(as_double(v[0]) + as_double(v[1]) + as_double(v[2]) == 70.5);
    v[0] = v[1];
    assert(v[0].kind == REAL && v[0].r == 2.5);
    assert(sizeof(union number) == 4);
    return 0;
}
