int x;
int main(void) {
    #pragma omp parallel
    {
        #pragma omp critical //@ needed race, atomic
        x++;
    }
    return x == 0;
}
