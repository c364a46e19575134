#include <stdio.h>
int main(void) {
    #pragma omp parallel num_threads(2)
    {
        #pragma omp critical //@ needed atomicity
        {
            printf("one ");
            printf("line\n");
        }
        #pragma omp critical(other) //@ superfluous
        printf("alone\n");
    }
    return 0;
}
