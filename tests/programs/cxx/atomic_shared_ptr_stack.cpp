//@ verdict: race-free
//@ flags: -std=c++20
//@ about: pushing on a list with compare_exchange of an atomic shared_ptr
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Node {
    int value;
    std::shared_ptr<Node> next;
};
std::atomic<std::shared_ptr<Node>> head;
void push(int value) {
    auto node = std::make_shared<Node>(Node{value, head.load()});
    while (!head.compare_exchange_strong(node->next, node)) {
    }
}
int main() {
    std::thread other(push, 1);
    push(2);
    other.join();
    auto first = head.load();
    assert(first->value + first->next->value == 3 && !first->next->next);
}
