int table[4] = {1, 2, 3, 4};
int out[8];
int main(void) {
    #pragma omp parallel for
    for (int i = 0; i < 8; i++) {
        int t;
        #pragma omp critical //@ superfluous
        t = table[i % 4];
        out[i] = t;
    }
    return 0;
}
