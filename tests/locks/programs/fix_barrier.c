//@ repair barrier
int x, seen[64];
int main(void) {
    #pragma omp parallel
    {
        #pragma omp master
        x = 5;
        #pragma omp for
        for (int i = 0; i < 8; i++) seen[i] = x;
    }
    return 0;
}
