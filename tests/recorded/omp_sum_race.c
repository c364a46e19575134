// record: race sum
// flags: -fopenmp
// level: -O0
#include <omp.h>
#include <stdio.h>
int main(void) {
    int sum = 0;
#pragma omp parallel for num_threads(3)
    for (int i = 0; i < 30; i++) sum += i; //!
    return sum < 0;
}
