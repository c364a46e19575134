//@ verdict: race-free
//@ flags: -std=c++20
//@ about: std::jthread joins by itself; stop tokens
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

int main()
{
    int result = 0;
    {
        std::jthread t([&] { result = 5; });
    }
    assert(result == 5);
    std::atomic<int> rounds{0};
    std::jthread worker([&](std::stop_token stop) {
        while (!stop.stop_requested())
            rounds.store(1);
        rounds.store(2);
    });
    assert(worker.request_stop());
    worker.join();
    assert(rounds == 2);
}
