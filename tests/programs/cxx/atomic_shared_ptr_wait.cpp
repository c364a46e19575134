//@ verdict: race-free
//@ flags: -std=c++20
//@ about: waiting until an atomic shared_ptr changes
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<int>> cell;
int main() {
    std::thread writer([] {
        cell.store(std::make_shared<int>(3));
        cell.notify_one();
    });
    cell.wait(nullptr);
    assert(*cell.load() == 3);
    writer.join();
}
