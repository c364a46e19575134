#include <stdio.h>
int main(void) {
    #pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < 4; i++) {
        int v = i * i;
        #pragma omp ordered //@ needed order
        printf("%d\n", v);
    }
    return 0;
}
