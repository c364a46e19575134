//@ verdict: race-free
//@ flags: -std=c++20
//@ about: what was done before a store of an atomic shared_ptr is known to who loads it
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<int>> cell;
int data;
int main() {
    std::thread writer([] {
        data = 5;
        cell.store(std::make_shared<int>(6));
    });
    if (auto p = cell.load())
        assert(*p == 6 && data == 5);
    writer.join();
}
