// For the time of `raceproof locks` by size: N iterations, each with a section that is needed and one that is not.
#ifndef N
#define N 50
#endif
static int own[N];
int main(void) {
    int sum = 0;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < N; i++) {
#pragma omp critical
        {
            sum += i;
            sum ^= 1;
        }
#pragma omp critical(other)
        own[i] = i;
    }
    return sum + own[0];
}
