// record: free
// flags: -fopenmp
#include <omp.h>
#include <stdio.h>
int main(void) {
    int sum = 0;
#pragma omp parallel for num_threads(3) reduction(+ : sum)
    for (int i = 0; i < 30; i++) sum += i;
    return sum != 435;
}
