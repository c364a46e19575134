int x;
int main(void) {
    #pragma omp parallel
    {
        #pragma omp single //@ superfluous
        {
            #pragma omp critical //@ superfluous
            x = x + 2;
        }
    }
    return x - 2;
}
