//@ verdict: race-free
//@ about: small, large, nested and float structs as parameters and results
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

struct tiny {
    char c;
};
struct pair {
    int x, y;
};
struct point {
    double x, y;
};
struct mixed {
    int n;
    double d;
};
struct large {
    int id;
    char name[20];
    struct pair corner[2];
    double weight;
};

static struct tiny next(struct tiny t)
{
    t.c++;
    return t;
}
static struct pair swap(struct pair p)
{
    return (struct pair){p.y, p.x};
}
static struct point scale(struct point p, double f)
{
    p.x *= f;
    p.y *= f;
    return p;
}
static struct mixed twice(struct mixed m)
{
    return (struct mixed){.n = m.n * 2, .d = m.d * 2};
}
static struct large rename_(struct large l, const char *name)
{
    strcpy(l.name, name);
    l.corner[1] = swap(l.corner[0]);
    l.weight += 0.5;
    return l;
}

static struct large results[2];

static void *worker(void *arg)
{
    struct large *mine = arg;
    *mine = rename_(*mine, mine == results ? "first" : "second");
    return NULL;
}

int main(void)
{
    assert(next((struct tiny){'a'}).c == 'b');
    struct pair p = swap(swap((struct pair){1, 2}));
    assert(p.x == 1 && p.y == 2);
    struct point q = scale((struct point){1.5, -2}, 4);
    assert(q.x == 6.0 && q.y == -8.0);
    struct mixed m = twice((struct mixed){21, 1.25});
    assert(m.n == 42 && m.d == 2.5);
    pthread_t t[2];
    for (int i = 0; i < 2; i++) {
        results[i] = (struct large){.id = i, .corner = {{3, 4}}, .weight = i};
        pthread_create(&t[i], NULL, worker, &results[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    struct large copy = results[1];
    assert(copy.id == 1 && strcmp(copy.name, "second") == 0 && strcmp(results[0].name, "first") == 0);
    assert(copy.corner[1].x == 4 && copy.corner[1].y == 3 && copy.weight == 1.5);
    return 0;
}
