//@ verdict: race-free
//@ about: designated initialisers, compound literals, global initialisers with addresses and functions
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

struct node {
    const char *name;
    const struct node *next;
    int (*length)(const struct node *);
    int weights[4];
};

static int list_length(const struct node *n)
{
    return n ? 1 + n->next->length(n->next) : 0;
}
static int zero(const struct node *n)
{
    (void)n;
    return 0;
}

static const struct node end = {.length = zero};
static const struct node second = {"second", &end, list_length, {[3] = 9}};
static const struct node first = {.next = &second, .name = "first", .length = list_length, .weights = {1, 2}};

static int numbers[] = {[5] = 50, 60, [1] = 10, 20};
static int *middle = &numbers[3];
static const char *words[] = {"zero", "one", "two" " and a half"};
static char greeting[] = "hello";
static const char *tail = &greeting[3];
static struct {
    struct {
        int a, b;
    } inner[2];
    char tag;
} nested = {{{1, 2}, {.b = 4}}, 'n'};
static size_t offset = offsetof(struct node, weights);

static int sum(const int *a)
{
    int s = 0;
    while (*a)
        s += *a++;
    return s;
}

static void *worker(void *arg)
{
    struct node *n = arg;
    *n = (struct node){.name = "new", .next = &first, .length = list_length};
    return NULL;
}

int main(void)
{
    assert(first.length(&first) == 2 && strcmp(first.next->name, "second") == 0);
    assert(second.weights[3] == 9 && second.weights[0] == 0 && first.weights[1] == 2 && first.weights[2] == 0);
    assert(sizeof numbers / sizeof *numbers == 7 && numbers[6] == 60 && numbers[2] == 20 && numbers[0] == 0);
    assert(middle[2] == 50 && middle[-1] == 20);
    assert(strlen(words[2]) == 14 && strcmp(tail, "lo") == 0 && sizeof greeting == 6);
    assert(nested.inner[1].a == 0 && nested.inner[1].b == 4 && nested.tag == 'n');
    assert(offset == 3 * sizeof(void *));
    assert(sum((int[]){1, 2, 3, 0}) == 6);
    int *p = (int[2]){7, 8};
    p[1]++;
    assert(p[0] + p[1] == 16);
    struct node n;
    pthread_t t;
    pthread_create(&t, NULL, worker, &n);
    pthread_join(t, NULL);
    assert(n.length(&n) == 3 && n.weights[0] == 0);
    return 0;
}
