//@ verdict: race
//@ race: result 12 14
//@ flags: -std=c++20
//@ about: a jthread is joined only at the end of its scope
#include <cstdio>
#include <thread>

int main()
{
    int result = 0;
    std::jthread t([&] {
        result = 5;
    });
    std::printf("%d\n", result);
}
