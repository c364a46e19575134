//@ verdict: race-free
//@ flags: -std=c++20
//@ about: an atomic weak_ptr gives the object or nothing
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<std::weak_ptr<int>> cell;
int main() {
    auto owner = std::make_shared<int>(4);
    std::thread reader([] {
        if (auto p = cell.load().lock())
            assert(*p == 4);
    });
    cell.store(owner);
    owner.reset();
    reader.join();
    assert(cell.load().expired());
}
