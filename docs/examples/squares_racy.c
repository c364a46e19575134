int a[5] = {2, 3, 4, 5, 6};
int main()
{
    int i, sum = 0; // work unit WU0
    #pragma omp parallel
    {
        #pragma omp for schedule (static, 1)
        for (i = 0; i < 5; i++)
        { // work units WU1 to WU5
            a[i] = a[i] * a[i];
            sum += a[i];
        }
        #pragma omp single
        sum += a[4]; // work unit WU6
    }
    return 0;
}
