//@ verdict: race-free
//@ flags: -std=c++20
//@ about: who takes the value out of an atomic shared_ptr has it alone
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<int>> cell{std::make_shared<int>(1)};
void take() {
    if (auto p = cell.exchange(nullptr))
        assert(++*p == 2);
}
int main() {
    std::thread other(take);
    take();
    other.join();
    assert(cell.load() == nullptr);
}
