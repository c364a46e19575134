//@ verdict: race
//@ race: n 18 18
//@ flags: -std=c++20
//@ about: std::counting_semaphore with two permits does not exclude
#include <semaphore>
#include <thread>
#include <vector>

int main()
{
    std::counting_semaphore<4> s(2);
    int n = 0;
    {
        std::vector<std::jthread> t;
        for (int i = 0; i < 3; i++)
            t.emplace_back([&] {
                s.acquire();
                n++;
                s.release();
            });
    }
    return n == 3 ? 0 : 1;
}
