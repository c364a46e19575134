//@ verdict: race-free
//@ about: lambdas with captures by value, by move, mutable, with initialisers; results by reference
#include <cassert>
#include <memory>
#include <thread>
#include <utility>

int main()
{
    int base = 10, result = 0;
    auto owned = std::make_unique<int>(7);
    std::thread t([base, owned = std::move(owned), &result, calls = 0]() mutable {
        ++calls;
        base += calls;
        result = base + *owned;
    });
    base = 100;
    t.join();
    assert(result == 18 && base == 100 && !owned);

    auto adder = [](auto a, auto b) { return a + b; };
    assert(adder(1, 2) == 3 && adder(1.5, 2) == 3.5);
    auto twice = [&](auto f, int x) { return f(f(x)); };
    assert(twice([base](int x) { return x + base; }, 1) == 201);
    int (*plain)(int) = [](int x) { return -x; };
    assert(plain(4) == -4);
}
