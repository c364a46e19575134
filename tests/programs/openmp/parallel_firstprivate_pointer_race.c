//@ verdict: race
//@ race: data[0]|cursor[0]|*cursor 13 13
//@ about: parallel firstprivate: the pointer is copied, what it points to is not
#include <stdio.h>

int main(void)
{
    int data[100] = {0};
    int *cursor = data;
#pragma omp parallel firstprivate(cursor)
    {
        for (int k = 0; k < 100; k++) {
            *cursor += k;
        }
    }
    printf("%d\n", data[0]);
    return 0;
}
