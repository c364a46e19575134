int sum;
int main(void) {
    #pragma omp parallel for reduction(+:sum)
    for (int i = 0; i < 6; i++) {
        #pragma omp critical //@ superfluous
        sum += i;
    }
    return sum - 15;
}
