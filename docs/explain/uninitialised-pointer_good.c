#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *list = calloc(1, sizeof *list); // all zero: next is null, and null can be asked for
    list->value = 1;
    int next = list->next ? list->next->value : 0;
    free(list);
    return next;
}
