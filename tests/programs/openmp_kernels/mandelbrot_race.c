//@ verdict: race
//@ races: at-least
//@ race: zr 20 20
//@ race: zi 20 20
//@ about: Mandelbrot set: the running values are declared outside the loop
#include <stdio.h>
#define W 10
#define H 10

static int image[H][W];

int main(void)
{
    double zr, zi;
#pragma omp parallel for schedule(dynamic, 1)
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            double cr = 3.0 * x / W - 2.0, ci = 2.0 * y / H - 1.0;
            int n = 0;
            zr = zi = 0;
            while (n < 5 && zr * zr + zi * zi < 4.0) {
                double t = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = t;
                n++;
            }
            image[y][x] = n;
        }
    printf("%d\n", image[5][5]);
    return 0;
}
