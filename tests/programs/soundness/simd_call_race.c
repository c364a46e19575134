//@ verdict: race
//@ race: m|*s.to 7 7
//@ about: every lane gives a function a pointer that a struct holds, and the function writes
struct sink { int *to; };
static void put(struct sink s, int value)
{
    *s.to = value;
}
int main(void)
{
    int m = 0;
    struct sink s = {&m};
#pragma omp simd
    for (int i = 0; i < 8; i++)
        put(s, i);
    return m;
}
