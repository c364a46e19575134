//@ verdict: race-free
//@ about: tables of functions, callbacks with context, functions that return functions, thread entry by table
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static const struct {
    char symbol;
    operation apply;
} table[] = {{'+', add}, {'-', sub}, {'*', mul}};

static operation find(char symbol)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].symbol == symbol)
            return table[i].apply;
    return NULL;
}

static void for_each(int *a, int n, void (*visit)(int *, void *), void *context)
{
    for (int i = 0; i < n; i++)
        visit(&a[i], context);
}

static void accumulate(int *item, void *context)
{
    *(int *)context += *item;
}

static int out[2];
static void *double_it(void *arg) { out[0] = *(int *)arg * 2; return NULL; }
static void *square_it(void *arg) { out[1] = *(int *)arg * *(int *)arg; return NULL; }
static void *(*const jobs[2])(void *) = {double_it, square_it};

int main(void)
{
    assert(find('+')(3, 4) == 7 && find('-')(3, 4) == -1 && (*find('*'))(3, 4) == 12);
    assert(find('/') == NULL && find('+') == &add);
    int numbers[] = {1, 2, 3}, sum = 0;
    for_each(numbers, 3, accumulate, &sum);
    assert(sum == 6);
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, jobs[i], &numbers[2]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(out[0] == 6 && out[1] == 9);
    return 0;
}
