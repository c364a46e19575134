//@ verdict: race-free
//@ flags: -std=c++20
//@ about: C++20 atomic wait and notify, atomic_ref
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> stage{0};
static int data = 0;

int main()
{
    std::thread t([] {
        data = 9;
        stage.store(1);
        stage.notify_one();
    });
    stage.wait(0);
    assert(data == 9);
    t.join();

    int plain = 0;
    auto bump = [&plain] { std::atomic_ref<int>(plain).fetch_add(1); };
    std::thread u(bump);
    bump();
    u.join();
    assert(plain == 2);
}
