//@ verdict: race-free
//@ about: switch with fallthrough, ranges, nested and default cases, Duff's device, goto, computed goto
#include <assert.h>
#include <string.h>

static int classify(int c)
{
    int r = 0;
    switch (c) {
    case 'a' ... 'f':
        r += 10;
        /* fallthrough */
    case '0':
    case '1':
        r += 1;
        break;
    default:
        r = -1;
        break;
    case -5:
        return 99;
    case 1000000:
        switch (r) {
        case 0:
            r = 7;
        }
    }
    return r;
}

static void copy(char *to, const char *from, int count)
{
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            *to++ = *from++;
    case 3:
            *to++ = *from++;
    case 2:
            *to++ = *from++;
    case 1:
            *to++ = *from++;
        } while (--n > 0);
    }
}

static int run(const unsigned char *code)
{
    static void *const labels[] = {&&halt, &&increment, &&twice, &&skip};
    int acc = 0;
    goto *labels[*code++];
increment:
    acc++;
    goto *labels[*code++];
twice:
    acc *= 2;
    goto *labels[*code++];
skip:
    code++;
    goto *labels[*code++];
halt:
    return acc;
}

static int find(int m[2][3], int key)
{
    int i, j;
    for (i = 0; i < 2; i++)
        for (j = 0; j < 3; j++)
            if (m[i][j] == key)
                goto found;
    return -1;
found:
    return 10 * i + j;
}

int main(void)
{
    assert(classify('c') == 11 && classify('1') == 1 && classify('z') == -1);
    assert(classify(-5) == 99 && classify(1000000) == 7);
    char out[8] = "", in[] = "abcdefg";
    copy(out, in, 7);
    assert(memcmp(out, "abcdefg", 7) == 0);
    const unsigned char code[] = {1, 1, 2, 3, 1, 2, 1, 0};
    assert(run(code) == 9);
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    assert(find(m, 6) == 12 && find(m, 9) == -1);
    int n = 0;
again:
    if (++n < 5)
        goto again;
    assert(n == 5);
    int k = 0;
    do {
        if (k == 2)
            continue;
        if (k == 4)
            break;
    } while (++k < 10);
    assert(k == 4);
    switch (1LL << 40) {
    case 1LL << 40:
        n = 1;
        break;
    case 0:
        n = 2;
    }
    assert(n == 1);
    return 0;
}
