//@ repair private
int a[4][4];
int main(void) {
    int j;
    #pragma omp parallel for
    for (int i = 0; i < 4; i++)
        for (j = 0; j < 4; j++) a[i][j] = i + j;
    return 0;
}
