//@ verdict: race-free
//@ flags: -std=c++20
//@ about: an atomic shared_ptr with release and acquire
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<int>> cell{std::make_shared<int>(1)};
int main() {
    std::thread writer([] { cell.store(std::make_shared<int>(2), std::memory_order_release); });
    auto p = cell.load(std::memory_order_acquire);
    assert(*p == 1 || *p == 2);
    writer.join();
    assert(*cell.load() == 2);
}
