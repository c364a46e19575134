//@ verdict: race
//@ race: acc.t 9 9
//@ about: lanes add to a member of a local struct
int main(void)
{
    struct { int s, t; } acc = {0, 0};
#pragma omp simd
    for (int i = 0; i < 8; i++)
        acc.t += i;
    return acc.t;
}
