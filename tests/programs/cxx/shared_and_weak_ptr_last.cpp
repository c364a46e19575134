//@ verdict: race-free
//@ flags: -std=c++17
//@ about: the last shared_ptr and the last weak_ptr go away on two threads
#include <memory>
#include <thread>

int main() {
    auto owner = std::make_shared<int>(1);
    std::weak_ptr<int> watcher = owner;
    std::thread other([w = std::move(watcher)]() mutable { w.reset(); });
    *owner = 2;
    owner.reset();
    other.join();
}
