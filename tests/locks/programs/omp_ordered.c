int log_[6], n;
int main(void) {
    #pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < 6; i++) {
        int v = i * i;
        #pragma omp ordered //@ needed race
        {
            log_[n] = v;
            n = n + 1;
        }
    }
    return 0;
}
