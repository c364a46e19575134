//@ verdict: defect
//@ defect: invalid-free 13
//@ about: free of a pointer into the middle of a heap object
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *line = malloc(16);
    strcpy(line, "  indented");
    while (*line == ' ')
        line++;
    free(line);
    return 0;
}
