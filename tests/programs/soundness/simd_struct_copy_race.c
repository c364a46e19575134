//@ verdict: race
//@ race: to|to.s|to.t 11 11
//@ races: at-least
//@ about: every lane copies a struct to the same local one
struct pair { int s, t; } from[8];
int main(void)
{
    struct pair to = {0, 0};
#pragma omp simd
    for (int i = 0; i < 8; i++)
        to = from[i];
    return to.t;
}
