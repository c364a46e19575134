//@ verdict: defect
//@ defect: null-pointer 13
//@ about: a member of a null struct pointer
#include <stdlib.h>

struct node {
    int key;
    struct node *left, *right;
};

static int leftmost(const struct node *n)
{
    while (n->left)
        n = n->left;
    return n->key;
}

int main(void)
{
    struct node leaf = {3, NULL, NULL};
    struct node root = {5, &leaf, NULL};
    int least = leftmost(&root);
    return leftmost(root.right) + least;
}
