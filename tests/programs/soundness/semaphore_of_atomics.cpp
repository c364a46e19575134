//@ verdict: race-free
//@ flags: -std=c++20
//@ about: three threads at a std::binary_semaphore: libstdc++ 12 makes it of atomics and can lose a wake-up (GCC bug 104928)
#include <semaphore>
#include <thread>
#include <vector>

int main()
{
    std::binary_semaphore s(1);
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
