//@ verdict: race
//@ races: at-least
//@ about: vector<bool>: neighbouring elements share a word
#include <cstdio>
#include <vector>

int main()
{
    std::vector<bool> seen(200);
#pragma omp parallel for
    for (int i = 0; i < 200; i++)
        seen[i] = true;
    std::printf("%d\n", static_cast<int>(seen[0]));
    return 0;
}
