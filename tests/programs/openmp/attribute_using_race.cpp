//@ verdict: race
//@ race: x 11 11
//@ flags: -std=c++20
//@ about: attributes of OpenMP alone, with the namespace named once: clang says nothing of them unless it compiles OpenMP

#include <cstdio>

int main() {
    int x = 0;
    [[using omp: directive(parallel num_threads(2))]]
    x++;
    std::printf("%d\n", x);
}
