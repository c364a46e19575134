//@ verdict: defect
//@ defect: unreachable 16
//@ about: code that was promised to be unreachable is reached
#include <stdlib.h>

enum colour { RED, GREEN };

static int code(enum colour c)
{
    switch (c) {
    case RED:
        return 1;
    case GREEN:
        return 2;
    }
    __builtin_unreachable();
}

int main(void)
{
    int third = 2;
    return code((enum colour)third);
}
