int a[6];
int main(void) {
    #pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < 6; i++) {
        #pragma omp ordered //@ superfluous
        a[i] = i;
    }
    return 0;
}
