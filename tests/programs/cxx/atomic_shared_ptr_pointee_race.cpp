//@ verdict: race
//@ race: *p|cell|* 13 13
//@ races: at-least
//@ flags: -std=c++20
//@ about: the pointer is atomic, what it points to is not
#include <atomic>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<int>> cell{std::make_shared<int>(0)};
void work() {
    auto p = cell.load();
    *p = *p + 1;
}
int main() {
    std::thread other(work);
    work();
    other.join();
}
