//@ verdict: defect
//@ defect: out-of-bounds 10
//@ about: a local array is read behind its end
#include <stdio.h>

static int sum(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

int main(void)
{
    int a[3] = {1, 2, 3};
    printf("%d\n", sum(a, 4));
    return 0;
}
