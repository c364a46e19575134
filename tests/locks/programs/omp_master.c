int config, seen[64];
int main(void) {
    #pragma omp parallel
    {
        #pragma omp master
        config = 7;
        #pragma omp barrier //@ needed race
        #pragma omp for //@ superfluous
        for (int i = 0; i < 4; i++) seen[i] = config;
    }
    return 0;
}
