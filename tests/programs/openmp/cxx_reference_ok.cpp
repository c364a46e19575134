//@ verdict: race-free
//@ about: references in data clauses
#include <cassert>

int main()
{
    int a = 2, b = 0;
    int &ra = a;
    int &rb = b;
    int out[100];
#pragma omp parallel for firstprivate(ra) reduction(+ : rb)
    for (int i = 0; i < 100; i++) {
        out[i] = ra * i;
        rb += 1;
    }
    assert(a == 2 && b == 100 && out[50] == 100);
    return 0;
}
