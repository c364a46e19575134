//@ verdict: race-free
//@ about: std::async, deferred tasks, packaged_task, and an exception that travels through a future
#include <cassert>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

static int square(int x) { return x * x; }

int main()
{
    std::future<int> a = std::async(std::launch::async, square, 6);
    int runs = 0;
    std::future<int> d = std::async(std::launch::deferred, [&] { return ++runs; });
    assert(runs == 0 && d.get() == 1 && runs == 1);
    std::packaged_task<int(int)> task(square);
    std::future<int> b = task.get_future();
    std::thread t(std::move(task), 3);
    assert(a.get() + b.get() == 45);
    t.join();

    std::future<int> bad = std::async(std::launch::async, []() -> int { throw std::runtime_error("no"); });
    std::string message;
    try {
        bad.get();
    } catch (const std::runtime_error &e) {
        message = e.what();
    }
    assert(message == "no");
}
