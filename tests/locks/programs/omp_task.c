int done, value;
int main(void) {
    #pragma omp parallel num_threads(2)
    #pragma omp single //@ superfluous
    {
        #pragma omp task
        {
            #pragma omp critical //@ superfluous
            value = 4;
        }
        #pragma omp taskwait //@ needed race
        done = value;
    }
    return done - 4;
}
