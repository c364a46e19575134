int x, seen[64];
int main(void) {
    #pragma omp parallel num_threads(2)
    {
        #pragma omp atomic //@ needed race
        x += 1;
        #pragma omp barrier //@ needed order
        #pragma omp for //@ superfluous
        for (int i = 0; i < 2; i++) {
            int v;
            #pragma omp atomic read //@ superfluous
            v = x;
            seen[i] = v;
        }
    }
    return 0;
}
