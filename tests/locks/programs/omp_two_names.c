int x = 1, y = 1;
int main(void) {
    #pragma omp parallel
    {
        #pragma omp critical(forx) //@ needed race
        x = x * 3 + 1;
        #pragma omp critical(fory) //@ needed race
        y = y * 5 + 1;
    }
    return 0;
}
