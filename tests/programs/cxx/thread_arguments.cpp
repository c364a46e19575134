//@ verdict: race-free
//@ about: thread arguments are copied or moved; std::ref shares; member functions as thread bodies
#include <cassert>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

struct Counter {
    int value = 0;
    void add(int n) { value += n; }
    int operator()(int n) { return value += 2 * n; }
};

static void append(std::string text, std::string &out) { out += text; }
static void consume(std::unique_ptr<int> p, int *out) { *out = *p; }

int main()
{
    std::string text = "abc", out = ">";
    std::thread a(append, text, std::ref(out));
    text += "def";
    a.join();
    assert(out == ">abc");

    int taken = 0;
    std::thread b(consume, std::make_unique<int>(9), &taken);
    b.join();
    assert(taken == 9);

    Counter c;
    std::thread d(&Counter::add, &c, 5);
    d.join();
    std::thread e(std::ref(c), 2);
    e.join();
    assert(c.value == 9);

    std::thread empty;
    assert(!empty.joinable());
    std::thread f([] {});
    std::thread g = std::move(f);
    assert(!f.joinable() && g.joinable());
    g.join();
}
