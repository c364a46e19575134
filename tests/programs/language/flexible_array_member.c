//@ verdict: race-free
//@ about: a struct with a flexible array member
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct message {
    size_t length;
    unsigned short checksum;
    char text[];
};

static struct message *make(const char *text)
{
    size_t n = strlen(text);
    struct message *m = malloc(sizeof *m + n + 1);
    m->length = n;
    m->checksum = 0;
    memcpy(m->text, text, n + 1);
    return m;
}

static void *sum_up(void *arg)
{
    struct message *m = arg;
    for (size_t i = 0; i < m->length; i++)
        m->checksum = (unsigned short)(m->checksum + (unsigned char)m->text[i]);
    return NULL;
}

int main(void)
{
    struct message *m = make("abc");
    pthread_t t;
    pthread_create(&t, NULL, sum_up, m);
    pthread_join(t, NULL);
    assert(m->checksum == 'a' + 'b' + 'c');
    assert(strcmp(m->text, "abc") == 0);
    free(m);
    return 0;
}
