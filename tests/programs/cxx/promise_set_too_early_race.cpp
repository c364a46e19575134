//@ verdict: race
//@ race: side 14 17
//@ about: the promise is fulfilled before the data is written
#include <future>
#include <thread>

int main()
{
    std::promise<void> promise;
    std::future<void> done = promise.get_future();
    int side = 0;
    std::thread t([&] {
        promise.set_value();
        side = 5;
    });
    done.wait();
    int seen = side;
    t.join();
    return seen == 0 || seen == 5 ? 0 : 1;
}
