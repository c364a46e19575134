//@ verdict: race-free
//@ about: global objects are built before main and destroyed after it in reverse order
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

static std::string order;

struct Part {
    char name;
    explicit Part(char n) : name(n) { order += n; }
    ~Part()
    {
        order += static_cast<char>(name - 'a' + 'A');
        if (name == 'a')
            assert(order == "abBA");
    }
};

static Part first('a'), second('b');
static std::mutex lock;

int main()
{
    std::string seen;
    std::thread t([&] {
        std::lock_guard<std::mutex> g(lock);
        seen = order;
    });
    t.join();
    assert(seen == "ab");
}
