/* A second program of the same parts: the lengths of the words of one line. */
#include <stdio.h>

#include "count.h"

int main(void) {
    static struct counts counts;
    counts_init(&counts);
    counts_add_line(&counts, "one or two");
    for (int i = 0; i <= LONGEST; i++) printf("%d: %d\n", i, counts.words[i]);
    return 0;
}
