//@ verdict: race
//@ race: text|text[*] 12 20
//@ about: string functions read and write the bytes of their arguments
#include <pthread.h>
#include <string.h>

static char text[16] = "  trimmed";

static void *trim(void *arg)
{
    (void)arg;
    memmove(text, text + 2, 8);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, trim, NULL);
    size_t n = strlen(text);
    pthread_join(t, NULL);
    return n > 15;
}
