//@ verdict: unknown
//@ reason: relaxed access to an atomic shared_ptr
//@ flags: -std=c++20
//@ about: a relaxed load of an atomic shared_ptr is not modelled
#include <atomic>
#include <memory>

std::atomic<std::shared_ptr<int>> cell{std::make_shared<int>(1)};
int main() {
    auto p = cell.load(std::memory_order_relaxed);
    return *p - 1;
}
