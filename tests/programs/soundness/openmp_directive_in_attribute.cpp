//@ verdict: race
//@ race: s 12 12
//@ flags: -std=c++20
//@ about: a directive as an attribute: the source has no pragma

int main()
{
    int s = 0;
    int v[50] = {};
    [[omp::directive(parallel for)]]
    for (int i = 0; i < 50; i++)
        s += v[i];
    return s;
}
