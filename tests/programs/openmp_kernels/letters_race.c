//@ verdict: race
//@ race: count[*] 14 14
//@ about: letters of a text, counted in a shared array
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *text = "the quick brown fox jumps over the lazy dog, and the dog does not mind at all.";
    int n = (int)strlen(text), count[26] = {0};
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (text[i] >= 'a' && text[i] <= 'z')
            count[text[i] - 'a']++;
    printf("%d\n", count[0]);
    return 0;
}
