/* The heap: a linked list is built, walked many times, reversed and freed. */
#include <stdlib.h>
#ifndef N
#define N 2000
#endif
#define LENGTH 2000

struct node {
  struct node *next;
  long value;
};

int main(void) {
  struct node *head = NULL;
  for (long i = 0; i < LENGTH; i++) {
    struct node *n = malloc(sizeof *n);
    if (!n)
      return 1;
    n->value = i;
    n->next = head;
    head = n;
  }
  long sum = 0;
  for (int round = 0; round < N; round++)
    for (struct node *n = head; n; n = n->next)
      sum += n->value++;
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return sum == 7;
}
