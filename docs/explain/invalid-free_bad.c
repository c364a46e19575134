#include <stdlib.h>

int main(void) {
    char *text = malloc(16);
    text++; // no longer what malloc returned
    free(text);
    return 0;
}
