/* count.h: how often words of each length were seen. */
#ifndef COUNT_H
#define COUNT_H

#include <pthread.h>

#define LONGEST 8

struct counts {
    int words[LONGEST + 1];
    pthread_mutex_t lock;
};

void counts_init(struct counts *c);
void counts_add_line(struct counts *c, const char *line);
int counts_total(struct counts *c);

#endif
