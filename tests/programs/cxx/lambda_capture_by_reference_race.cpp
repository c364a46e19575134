//@ verdict: race
//@ race: sum 11 13
//@ about: a lambda captures a local variable by reference
#include <cstdio>
#include <thread>

int main()
{
    int sum = 0;
    std::thread t([&] {
        sum += 10;
    });
    sum += 5;
    t.join();
    std::printf("%d\n", sum);
}
