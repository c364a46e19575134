#include <stdlib.h>

int main(void) {
    char *text = malloc(16);
    char *cursor = text + 1;
    *cursor = 'a';
    free(text);
    return 0;
}
