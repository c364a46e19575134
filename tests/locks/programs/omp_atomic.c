int hist[2];
int main(void) {
    #pragma omp parallel for
    for (int i = 0; i < 6; i++) {
        #pragma omp atomic //@ needed race
        hist[i % 2]++;
    }
    return hist[0] - 3;
}
