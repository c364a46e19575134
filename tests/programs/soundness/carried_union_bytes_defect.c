//@ verdict: defect
//@ defect: assertion 25
//@ about: bytes of a private union are written one by one and read as a whole
#include <assert.h>
int x;
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        union { int w; char c[4]; } u;
        u.w = 0;
        char *p = u.c;
        int *q = &u.w;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 2; i++) {
            p[0] = 1;
            p[2] = 1;
            if (*q == 0x10001)
                p[1] = 1;
            else
#pragma omp atomic
                x++;
        }
    }
    assert(x == 0);
}
