//@ verdict: race-free
//@ about: multi-dimensional arrays, variable length arrays, pointers to them as parameters
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static int matrix[3][4][2];

static int trace(int n, int m[n][n])
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += m[i][i];
    return s;
}

static void *worker(void *arg)
{
    int n = *(int *)arg;
    int local[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            local[i][j] = 10 * i + j;
    assert(sizeof local == (size_t)(n * n) * sizeof(int));
    *(int *)arg = trace(n, local);
    return NULL;
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 2; k++)
                matrix[i][j][k] = 100 * i + 10 * j + k;
    int *flat = &matrix[0][0][0];
    assert(flat[2 * 8 + 3 * 2 + 1] == 231);
    assert(matrix[1][2][1] == 121 && *(*(*(matrix + 1) + 2) + 1) == 121);
    int(*row)[2] = matrix[2];
    assert(row[3][0] == 230);
    pthread_t a, b;
    int three = 3, four = 4;
    pthread_create(&a, NULL, worker, &three);
    pthread_create(&b, NULL, worker, &four);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(three == 33 && four == 66);
    for (int n = 1; n <= 3; n++) {
        char name[n + 1];
        memset(name, 'x', (size_t)n);
        name[n] = 0;
        assert(strlen(name) == (size_t)n);
    }
    int jagged[2][3] = {{1}, {4, 5}};
    assert(jagged[0][1] == 0 && jagged[1][2] == 0 && jagged[1][1] == 5);
    return 0;
}
