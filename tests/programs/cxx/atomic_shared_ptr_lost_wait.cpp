//@ verdict: defect
//@ defect: deadlock 13
//@ flags: -std=c++20
//@ about: nobody notifies who waits for an atomic shared_ptr
#include <atomic>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<int>> cell;

int main() {
    std::thread writer([] { cell.store(std::make_shared<int>(3)); });
    cell.wait(nullptr);
    writer.join();
}
