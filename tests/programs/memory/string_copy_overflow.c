//@ verdict: defect
//@ defect: out-of-bounds 10
//@ about: strcpy into a buffer without room for the terminating zero
#include <stdlib.h>
#include <string.h>

static char *duplicate(const char *s)
{
    char *copy = malloc(strlen(s));
    strcpy(copy, s);
    return copy;
}

int main(void)
{
    char *s = duplicate("twelve chars");
    free(s);
    return 0;
}
