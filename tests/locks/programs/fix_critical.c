//@ repair new-lock
int best;
int main(void) {
    #pragma omp parallel for
    for (int i = 0; i < 8; i++) {
        int t = (i * 5) % 7;
        if (t > best) best = t;
    }
    return 0;
}
