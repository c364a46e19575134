#include <stdlib.h>

struct buffer {
    char *bytes;
};

void drop(struct buffer *b) {
    free(b->bytes);
    b->bytes = 0;
}

int main(void) {
    struct buffer b = {malloc(16)};
    struct buffer *same = &b; // one owner, and free(0) does nothing
    drop(&b);
    drop(same);
    return 0;
}
