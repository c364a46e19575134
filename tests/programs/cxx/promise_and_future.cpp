//@ verdict: race-free
//@ about: a value set in a promise is ordered before the future's get; plain data before set_value too
#include <cassert>
#include <future>
#include <thread>
#include <utility>

int main()
{
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    int side = 0;
    std::thread t([&side, p = std::move(promise)]() mutable {
        side = 5;
        p.set_value(37);
    });
    int value = future.get();
    assert(value + side == 42);
    side = 0;
    t.join();
    assert(!future.valid());
}
