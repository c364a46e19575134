#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct w { char *s; int n; };
static int cmp(const void *a, const void *b) { const struct w *x = a, *y = b; return y->n != x->n ? y->n - x->n : strcmp(x->s, y->s); }
int main(void) {
    char text[] = "The quick brown fox jumps over the lazy dog. The dog barks; the fox runs away!";
    struct w *ws = NULL; size_t n = 0, cap = 0;
    char *save;
    for (char *t = strtok_r(text, " .;!", &save); t; t = strtok_r(NULL, " .;!", &save)) {
        for (char *c = t; *c; c++) *c = (char)tolower((unsigned char)*c);
        size_t i;
        for (i = 0; i < n && strcmp(ws[i].s, t); i++);
        if (i == n) { if (n == cap) ws = realloc(ws, (cap = cap ? 2 * cap : 4) * sizeof *ws); ws[n++] = (struct w){strdup(t), 0}; }
        ws[i].n++;
    }
    qsort(ws, n, sizeof *ws, cmp);
    for (size_t i = 0; i < n; i++) printf("%-8s|%3d|%5.1f%%\n", ws[i].s, ws[i].n, 100.0 * ws[i].n / n);
    printf("%x %#o %+d %e %g %a %c %5s|%-5s| %08.3f %lld %zu %hhd %p\n", 255, 8, 5, 12345.678, 0.0001, 1.0, 'z', "ab", "cd", 3.14159, 1LL << 40, sizeof(int), (char)300, (void *)0);
    for (size_t i = 0; i < n; i++) free(ws[i].s);
    free(ws);
    char buf[64]; int a; float f; char s[10];
    sscanf("12 3.5 hello", "%d %f %9s", &a, &f, s);
    snprintf(buf, sizeof buf, "%d/%.2f/%s", a, f, s);
    puts(buf);
    printf("%ld %lu %f\n", strtol("-0x1f", NULL, 16), strtoul("077", NULL, 0), strtod("1e3", NULL));
    return 0;
}
