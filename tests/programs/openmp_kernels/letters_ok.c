//@ verdict: race-free
//@ about: letters of a text, counted with a reduction over an array
#include <assert.h>
#include <ctype.h>
#include <string.h>

int main(void)
{
    const char *text = "The quick brown fox jumps over the lazy dog, and the dog does not mind at all.";
    int n = (int)strlen(text), count[26] = {0}, letters = 0;
#pragma omp parallel for reduction(+ : count)
    for (int i = 0; i < n; i++)
        if (isalpha((unsigned char)text[i]))
            count[tolower((unsigned char)text[i]) - 'a']++;
    for (int c = 0; c < 26; c++) {
        assert(count[c] > 0);
        letters += count[c];
    }
    assert(letters == 60);
    return 0;
}
