#include <stdlib.h>

struct buffer {
    char *bytes;
};

void drop(struct buffer *b) {
    free(b->bytes);
}

int main(void) {
    struct buffer b = {malloc(16)};
    struct buffer copy = b; // both own the same bytes
    drop(&b);
    drop(&copy);
    return 0;
}
