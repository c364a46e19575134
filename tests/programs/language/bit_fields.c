//@ verdict: race-free
//@ about: signed and unsigned bit-fields of several widths, wrap-around, structs of them by value
#include <assert.h>
#include <stdint.h>

struct date {
    unsigned day : 5;
    unsigned month : 4;
    int year : 12;
    _Bool leap : 1;
};

struct wide {
    uint64_t low : 40;
    int64_t high : 24;
};

static struct date next_month(struct date d)
{
    d.month++;
    return d;
}

int main(void)
{
    struct date d = {31, 12, -44, 1};
    assert(d.day == 31 && d.month == 12 && d.year == -44 && d.leap);
    d.day++;
    assert(d.day == 0 && d.month == 12);
    d.year -= 2004;
    assert(d.year == -2048);
    d = next_month(d);
    assert(d.month == 13 && d.leap == 1);
    d.month += 5;
    assert(d.month == 2 && d.year == -2048);
    struct wide w = {0xffffffffffull, -5};
    w.low += 1;
    assert(w.low == 0 && w.high == -5);
    w.high *= 4;
    assert(w.high == -20);
    assert(sizeof(struct date) == 4 && sizeof(struct wide) == 8);
    return 0;
}
