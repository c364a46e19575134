//@ verdict: race-free
//@ about: once answered wrongly because the entry of a destroyed condition variable outlives its stack frame
//@ about: a local std::condition_variable of a function that is called twice lies at the same place both times
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static int ask(int n)
{
    std::mutex m;
    std::condition_variable c;
    bool ready = false;
    int answer = 0;
    std::thread t([&] {
        std::lock_guard<std::mutex> lock(m);
        answer = n + 1;
        ready = true;
        c.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(m);
        c.wait(lock, [&] { return ready; });
    }
    t.join();
    return answer;
}

int main()
{
    assert(ask(1) == 2);
    assert(ask(2) == 3);
}
