//@ verdict: race
//@ race: a[*] 13 13
//@ about: for: the size comes from the command line, with a default
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    int *a = calloc((size_t)n + 1, sizeof *a);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i + 1] + i;
    printf("%d\n", a[0]);
    free(a);
    return 0;
}
