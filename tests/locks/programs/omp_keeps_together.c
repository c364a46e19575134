int x;
int main(void) {
    #pragma omp parallel num_threads(2)
    {
        #pragma omp critical //@ needed atomicity
        {
            int v;
            #pragma omp atomic read //@ superfluous
            v = x;
            #pragma omp atomic write //@ superfluous
            x = v + 1;
        }
    }
    return 0;
}
