//@ repair reduction
int main(void) {
    int sum = 0;
    #pragma omp parallel for
    for (int i = 0; i < 8; i++) sum += i;
    return sum - 28;
}
