#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *list = malloc(sizeof *list); // malloc leaves the fields as they are
    list->value = 1;
    return list->next->value;
}
