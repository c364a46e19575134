//@ verdict: race
//@ races: at-least
//@ about: qsort in one thread while another reads the array; the comparison function and qsort itself access it
#include <pthread.h>
#include <stdlib.h>

static int v[4] = {4, 2, 3, 1};

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void *sorter(void *arg)
{
    (void)arg;
    qsort(v, 4, sizeof v[0], compare);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sorter, NULL);
    int first = v[0];
    pthread_join(t, NULL);
    return first >= 1 && first <= 4 ? 0 : 1;
}
