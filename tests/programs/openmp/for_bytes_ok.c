//@ verdict: race-free
//@ about: for: neighbouring bytes and members are different memory locations
#include <assert.h>
#include <string.h>

struct pixel {
    unsigned char r, g, b, a;
};

int main(void)
{
    struct pixel img[128];
    char text[129];
    memset(img, 0, sizeof img);
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < 128; i++)
            text[i] = (char)('a' + i % 26);
#pragma omp for nowait
        for (int i = 0; i < 128; i++)
            img[i].r = (unsigned char)i;
#pragma omp for nowait
        for (int i = 0; i < 128; i++)
            img[i].g = 255;
    }
    text[128] = 0;
    assert(strlen(text) == 128);
    for (int i = 0; i < 128; i++)
        assert(img[i].r == i && img[i].g == 255 && img[i].b == 0);
    return 0;
}
