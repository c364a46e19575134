//@ verdict: race-free
//@ about: declare reduction: lists that threads have built are spliced together, and belong to the values
#include <cassert>

struct Node {
    int value;
    Node *next;
};

struct List {
    Node *head = nullptr;
};

static void append(List &out, List &in)
{
    Node **end = &out.head;
    while (*end)
        end = &(*end)->next;
    *end = in.head;
    in.head = nullptr;
}
#pragma omp declare reduction(append : List : append(omp_out, omp_in)) initializer(omp_priv = List())

int main()
{
    List all;
#pragma omp parallel num_threads(2) reduction(append : all)
    all.head = new Node{1, all.head};
    int sum = 0;
    while (all.head) {
        Node *node = all.head;
        all.head = node->next;
        sum += node->value;
        delete node;
    }
    assert(sum == 2);
    return 0;
}
