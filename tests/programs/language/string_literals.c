//@ verdict: race-free
//@ about: string literals, escapes, wide and UTF literals, __func__, character constants
#include <assert.h>
#include <stddef.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>

static const char *function_name(void)
{
    return __func__;
}

int main(void)
{
    assert(strlen("a\tb\n\x41\101\0hidden") == 6 && sizeof "abc" == 4);
    assert("\x41"[0] == 'A' && "\101"[0] == 'A' && '\\' == 92 && '\'' == 39);
    assert(strcmp(function_name(), "function_name") == 0);
    const char *utf8 = u8"\u00e4";
    assert(strlen(utf8) == 2 && (unsigned char)utf8[0] == 0xc3);
    const wchar_t *wide = L"w\u00efde";
    assert(wide[1] == 0xef && wide[4] == 0 && wcslen(wide) == 4);
    const char16_t *u16 = u"\U0001F600";
    assert(u16[0] == 0xd83d && u16[1] == 0xde00);
    const char32_t *u32 = U"\U0001F600";
    assert(u32[0] == 0x1f600);
    char text[] = {'o', 'k', '\0'};
    assert(strcmp(text, "ok") == 0);
    char padded[8] = "abc";
    assert(padded[7] == 0 && *&"xyz"[1] == 'y' && 1["xyz"] == 'y');
    return 0;
}
