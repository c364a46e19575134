int x;
int main(void) {
    #pragma omp parallel
    {
        #pragma omp critical(outer) //@ superfluous
        {
            #pragma omp critical(inner) //@ alternative race
            {
                x = x * 2 + 1;
            }
        }
    }
    return 0;
}
