//@ verdict: race-free
//@ about: std::recursive_mutex, std::timed_mutex and std::recursive_timed_mutex
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

static std::recursive_mutex recursive;
static std::timed_mutex timed;
static std::recursive_timed_mutex both;
static int sum = 0, turns = 0, missed = 0;

static void add(int n)
{
    std::lock_guard<std::recursive_mutex> g(recursive);
    if (n > 0) {
        sum += n;
        add(n - 1);
    }
}

static void turn(int &missed_here)
{
    using namespace std::chrono_literals;
    if (timed.try_lock_for(1ms)) {
        ++turns;
        timed.unlock();
    } else {
        ++missed_here;
    }
}

int main()
{
    int other = 0;
    std::thread t([&] {
        add(2);
        turn(other);
    });
    add(1);
    turn(missed);
    t.join();
    assert(sum == 4);
    assert(turns + missed + other == 2);
    both.lock();
    both.lock();
    both.unlock();
    both.unlock();
}
