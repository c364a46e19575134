// Waiting for tasks whose result is used, and again where nothing is left to wait for.
static int square(int n) { return n * n; }
int main(void) {
    int x = 0, y = 0, sum = 0;
#pragma omp parallel
#pragma omp single nowait
    {
#pragma omp task shared(x)
        x = square(3);
#pragma omp task shared(y)
        y = square(4);
#pragma omp taskwait //@ needed race
        sum = x + y;
#pragma omp taskwait //@ superfluous
    }
    return sum;
}
