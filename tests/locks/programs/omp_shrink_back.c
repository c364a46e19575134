int total, out[6];
int main(void) {
    #pragma omp parallel for
    for (int i = 0; i < 6; i++) {
        #pragma omp critical //@ needed race, shrink
        {
            total = total + i * 3;
            out[i] = i;
        }
    }
    return 0;
}
