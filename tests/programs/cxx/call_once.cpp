//@ verdict: race-free
//@ about: std::call_once runs its function once and orders it before every return
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static int setups = 0, value = 0;

static int get()
{
    std::call_once(once, [] {
        ++setups;
        value = 42;
    });
    return value;
}

int main()
{
    int x = 0;
    std::thread t([&] { x = get(); });
    int y = get();
    t.join();
    assert(x == 42 && y == 42 && setups == 1);
}
