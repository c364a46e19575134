//@ verdict: unknown
//@ reason: lastprivate(conditional:)` in line 13
//@ about: for lastprivate(conditional): clang 19 does not translate it as the language says
#include <assert.h>
#define N 300

int main(void)
{
    int found = -1;
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = i % 50;
#pragma omp parallel for lastprivate(conditional : found)
    for (int i = 0; i < N; i++) {
        if (a[i] == 49)
            found = i;
    }
    assert(found == 299);
    return 0;
}
