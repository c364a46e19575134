//@ verdict: race-free
//@ about: the functions of ctype.h over the whole range
#include <assert.h>
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    int alpha = 0, digit = 0, alnum = 0, upper = 0, lower = 0, space = 0, punct = 0, print = 0, graph = 0, cntrl = 0,
        xdigit = 0, blank = 0;
    for (int c = 0; c < 256; c++) {
        alpha += !!isalpha(c);
        digit += !!isdigit(c);
        alnum += !!isalnum(c);
        upper += !!isupper(c);
        lower += !!islower(c);
        space += !!isspace(c);
        punct += !!ispunct(c);
        print += !!isprint(c);
        graph += !!isgraph(c);
        cntrl += !!iscntrl(c);
        xdigit += !!isxdigit(c);
        blank += !!isblank(c);
    }
    assert(alpha == 52 && digit == 10 && alnum == 62 && upper == 26 && lower == 26);
    assert(space == 6 && punct == 32 && print == 95 && graph == 94 && cntrl == 33);
    assert(xdigit == 22 && blank == 2);
    assert(toupper('q') == 'Q' && toupper('Q') == 'Q' && toupper('7') == '7');
    assert(tolower('Q') == 'q' && tolower('[') == '[');
    assert(!isalpha(EOF) && toupper(EOF) == EOF);
    assert(isascii('a') && !isascii(200) && toascii(0xc1) == 'A');
    return 0;
}
