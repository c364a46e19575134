//@ verdict: race-free
//@ about: std::atomic on integers, pointers, bool and a small struct, with explicit orders
#include <atomic>
#include <cassert>
#include <thread>

struct Pair {
    int a, b;
};

int main()
{
    std::atomic<int> n{5};
    assert(n.fetch_add(2) == 5 && n.load() == 7 && n.exchange(1) == 7);
    assert(++n == 2 && n++ == 2 && (n += 4) == 7 && (n |= 8) == 15 && (n ^= 1) == 14 && n.fetch_sub(4) == 14);
    int expected = 3;
    assert(!n.compare_exchange_strong(expected, 0) && expected == 10);
    assert(n.compare_exchange_strong(expected, 20) && n == 20);
    int cells[3] = {1, 2, 3};
    std::atomic<int *> p{cells};
    p += 2;
    assert(*p.load() == 3 && *(--p) == 2);
    std::atomic<Pair> pair{Pair{1, 2}};
    pair.store({3, 4});
    assert(pair.load().b == 4);
    std::atomic<bool> flag{false};
    std::atomic<double> d{1.5};
    d.store(d.load() * 2);
    assert(d == 3.0 && n.is_lock_free());

    int payload = 0;
    std::thread t([&] {
        payload = 11;
        flag.store(true, std::memory_order_release);
    });
    while (!flag.load(std::memory_order_acquire))
        std::this_thread::yield();
    assert(payload == 11);
    t.join();

    std::atomic_flag spin = ATOMIC_FLAG_INIT;
    int guarded = 0;
    auto bump = [&] {
        while (spin.test_and_set(std::memory_order_acquire))
            ;
        ++guarded;
        spin.clear(std::memory_order_release);
    };
    std::thread u(bump);
    bump();
    u.join();
    assert(guarded == 2);
}
