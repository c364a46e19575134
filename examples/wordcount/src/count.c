#include "count.h"

void counts_init(struct counts *c) {
    for (int i = 0; i <= LONGEST; i++) c->words[i] = 0;
    pthread_mutex_init(&c->lock, 0);
}

static void add(struct counts *c, int length) {
    if (length == 0) return;
    if (length > LONGEST) length = LONGEST;
#ifdef FAST
    /* "It is only a number": two threads that meet here lose a word. */
    c->words[length]++;
#else
    pthread_mutex_lock(&c->lock);
    c->words[length]++;
    pthread_mutex_unlock(&c->lock);
#endif
}

void counts_add_line(struct counts *c, const char *line) {
    int length = 0;
    for (; *line; line++) {
        if (*line != ' ') {
            length++;
        } else {
            add(c, length);
            length = 0;
        }
    }
    add(c, length);
}

int counts_total(struct counts *c) {
    int total = 0;
    pthread_mutex_lock(&c->lock);
    for (int i = 0; i <= LONGEST; i++) total += c->words[i];
    pthread_mutex_unlock(&c->lock);
    return total;
}
