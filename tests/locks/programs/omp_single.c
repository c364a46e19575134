int x, y[64];
int main(void) {
    #pragma omp parallel
    {
        #pragma omp single //@ needed race
        x = 3;
        #pragma omp for //@ superfluous
        for (int i = 0; i < 4; i++) y[i] = x + i;
    }
    return 0;
}
