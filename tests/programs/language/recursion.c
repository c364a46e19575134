//@ verdict: race-free
//@ about: recursion, mutual recursion and a parallel recursion that forks threads
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static bool is_odd(unsigned n);
static bool is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
static bool is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

static void hanoi(int n, int from, int to, int via, int *moves)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, via, to, moves);
    ++*moves;
    hanoi(n - 1, via, to, from, moves);
}

struct slice {
    const int *a;
    int n, sum;
};

static void *parallel_sum(void *arg)
{
    struct slice *s = arg;
    if (s->n == 1) {
        s->sum = s->a[0];
        return NULL;
    }
    struct slice left = {s->a, s->n / 2, 0}, right = {s->a + s->n / 2, s->n - s->n / 2, 0};
    pthread_t t;
    pthread_create(&t, NULL, parallel_sum, &left);
    parallel_sum(&right);
    pthread_join(t, NULL);
    s->sum = left.sum + right.sum;
    return NULL;
}

int main(void)
{
    assert(fibonacci(10) == 55);
    assert(is_even(10) && !is_even(7) && is_odd(3));
    assert(ackermann(2, 3) == 9);
    int moves = 0;
    hanoi(5, 1, 3, 2, &moves);
    assert(moves == 31);
    int numbers[3] = {5, 6, 7};
    struct slice all = {numbers, 3, 0};
    parallel_sum(&all);
    assert(all.sum == 18);
    return 0;
}
