//@ verdict: race-free
//@ flags: -std=c++17
//@ about: async, deferred, promise, shared_future, exceptions through futures and exception_ptr
#include <cassert>
#include <future>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <vector>
static int work(int n)
{
    if (n < 0)
        throw std::invalid_argument("neg");
    return n * 2;
}
int main()
{
    auto f = std::async(std::launch::async, work, 21);
    auto g = std::async(std::launch::async, work, -1);
    auto h = std::async(std::launch::deferred, work, 1);
    assert(f.get() == 42);
    try {
        g.get();
        assert(false);
    } catch (const std::invalid_argument &e) {
        std::cout << e.what() << '\n';
    }
    assert(h.get() == 2);
    std::promise<std::vector<int>> p;
    auto fut = p.get_future();
    std::thread t([&p] {
        p.set_value({1, 2, 3});
    });
    auto v = fut.get();
    t.join();
    std::shared_future<int> sf = std::async([] {
        return 5;
    });
    std::cout << std::accumulate(v.begin(), v.end(), 0) + sf.get() << '\n';
    std::exception_ptr ep;
    std::thread u([&] {
        try {
            work(-5);
        } catch (...) {
            ep = std::current_exception();
        }
    });
    u.join();
    try {
        if (ep)
            std::rethrow_exception(ep);
    } catch (std::exception &e) {
        std::cout << "got " << e.what() << '\n';
    }
}
