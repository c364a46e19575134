//@ verdict: race-free
//@ flags: -std=c++20
//@ about: std::latch, std::barrier with a completion function, counting and binary semaphores
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

static int parts[2];
static int total = 0;

int main()
{
    std::latch ready(1);
    int prepared = 0;
    std::thread a([&] {
        prepared = 3;
        ready.count_down();
    });
    ready.wait();
    assert(prepared == 3);
    a.join();

    std::barrier phase(2, []() noexcept { total += parts[0] + parts[1]; });
    auto work = [&](int me) {
        parts[me] = me + 1;
        phase.arrive_and_wait();
        assert(total == 3);
    };
    std::thread b(work, 1);
    work(0);
    b.join();

    std::binary_semaphore filled(0);
    std::counting_semaphore<4> slots(2);
    int box = 0;
    std::thread c([&] {
        slots.acquire();
        box = 8;
        filled.release();
    });
    filled.acquire();
    assert(box == 8);
    slots.acquire();
    assert(!slots.try_acquire());
    slots.release(2);
    c.join();
}
