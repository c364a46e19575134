int a, b, c[4];
int main(void) {
    #pragma omp parallel
    {
        #pragma omp sections //@ needed race
        {
            #pragma omp section
            a = 1;
            #pragma omp section
            b = 2;
        }
        #pragma omp for //@ superfluous
        for (int i = 0; i < 4; i++) c[i] = a + b;
    }
    return 0;
}
