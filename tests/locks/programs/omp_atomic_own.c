int squares[6];
int main(void) {
    #pragma omp parallel for
    for (int i = 0; i < 6; i++) {
        #pragma omp atomic //@ superfluous
        squares[i] += i * i;
    }
    return 0;
}
