//@ verdict: race-free
//@ about: Mandelbrot set: every pixel on its own, lines shared out dynamically
#include <assert.h>
#define W 40
#define H 30

static int image[H][W];

int main(void)
{
#pragma omp parallel for schedule(dynamic, 1)
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            double cr = 3.0 * x / W - 2.0, ci = 2.0 * y / H - 1.0, zr = 0, zi = 0;
            int n = 0;
            while (n < 20 && zr * zr + zi * zi < 4.0) {
                double t = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = t;
                n++;
            }
            image[y][x] = n;
        }
    assert(image[H / 2][W / 2] == 20 && image[0][0] < 3);
    return 0;
}
