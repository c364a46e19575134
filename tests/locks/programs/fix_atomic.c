//@ repair atomic
int hist[2];
int main(void) {
    #pragma omp parallel for
    for (int i = 0; i < 8; i++) hist[i % 2] += i;
    return 0;
}
