//@ verdict: race
//@ race: r.t|<temporary> 10 10
//@ about: a temporary that lives as long as a reference outside of the loop
struct pair { int s, t; };
int main()
{
    pair &&r = pair{0, 0};
#pragma omp simd
    for (int i = 0; i < 8; i++)
        r.t += i;
    return r.t;
}
