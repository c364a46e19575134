//@ verdict: race
//@ race: prepared 14 17
//@ flags: -std=c++20
//@ about: the latch is counted down before the data is ready
#include <latch>
#include <thread>

int main()
{
    std::latch ready(1);
    int prepared = 0;
    std::thread t([&] {
        ready.count_down();
        prepared = 3;
    });
    ready.wait();
    int seen = prepared;
    t.join();
    return seen > 3;
}
