//@ verdict: race-free
//@ about: atomic capture in its forms: old value, new value, exchange
#include <assert.h>

int main(void)
{
    int n = 0, m = 0, box = -1;
    long olds = 0, news = 0, gone = 0;
#pragma omp parallel for reduction(+ : olds, news, gone) num_threads(2)
    for (int i = 0; i < 3; i++) {
        int o, w, x;
#pragma omp atomic capture
        o = n++;
#pragma omp atomic capture
        {
            m += 2;
            w = m;
        }
#pragma omp atomic capture
        {
            x = box;
            box = i;
        }
        olds += o;
        news += w;
        gone += x;
    }
    assert(n == 3 && m == 6);
    assert(olds == 3 && news == 12);
    assert(gone + box == 2);
    return 0;
}
