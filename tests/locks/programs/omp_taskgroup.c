// A group of tasks that must have ended, and one that the end of the region waits for anyway.
int main(void) {
    int x = 0, y = 0;
#pragma omp parallel
#pragma omp single nowait
    {
#pragma omp taskgroup //@ needed race
        {
#pragma omp task shared(x)
            x = 1;
        }
        x++;
#pragma omp taskgroup //@ superfluous
        {
#pragma omp task shared(y)
            y = 1;
        }
    }
    return x + y;
}
