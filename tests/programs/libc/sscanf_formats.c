//@ verdict: race-free
//@ about: the conversions of sscanf
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    int a, b, n;
    unsigned u;
    long long ll;
    float f;
    double d;
    char word[16], set[16], c;
    short h;
    assert(sscanf("12 -34", "%d %d", &a, &b) == 2 && a == 12 && b == -34);
    assert(sscanf("0x1f 077", "%i %i", &a, &b) == 2 && a == 31 && b == 63);
    assert(sscanf("ff", "%x", &u) == 1 && u == 255);
    assert(sscanf("9000000000,1.5,2.25", "%lld,%f,%lf", &ll, &f, &d) == 3);
    assert(ll == 9000000000LL && f == 1.5f && d == 2.25);
    assert(sscanf("  hello world", "%s%c%n", word, &c, &n) == 2);
    assert(strcmp(word, "hello") == 0 && c == ' ' && n == 8);
    assert(sscanf("abc123", "%[a-z]%d", set, &a) == 2 && strcmp(set, "abc") == 0 && a == 123);
    assert(sscanf("key=value;", "%15[^=]=%15[^;]", word, set) == 2 && strcmp(set, "value") == 0);
    assert(sscanf("12345", "%2d%3d", &a, &b) == 2 && a == 12 && b == 345);
    assert(sscanf("1 2 3", "%d %*d %d", &a, &b) == 2 && b == 3);
    assert(sscanf("7", "%hd", &h) == 1 && h == 7);
    assert(sscanf("x", "%d", &a) == 0 && sscanf("", "%d", &a) == EOF);
    assert(sscanf("5 apples", "%d pears", &a) == 1);
    return 0;
}
