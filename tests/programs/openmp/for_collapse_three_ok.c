//@ verdict: race-free
//@ about: for collapse(3) with steps and a descending loop
#include <assert.h>

static int box[8][9][10];

int main(void)
{
#pragma omp parallel for collapse(3) schedule(dynamic, 5)
    for (int x = 7; x >= 0; x--)
        for (int y = 0; y < 9; y += 3)
            for (int z = 0; z != 10; z++)
                box[x][y][z] = x + y + z;
    for (int x = 0; x < 8; x++)
        for (int y = 0; y < 9; y++)
            for (int z = 0; z < 10; z++)
                assert(box[x][y][z] == (y % 3 == 0 ? x + y + z : 0));
    return 0;
}
