//@ verdict: race-free
//@ about: ownership moves into a thread and back; custom deleters; arrays
#include <cassert>
#include <memory>
#include <thread>
#include <utility>

static int deleted = 0;

struct Node {
    int value;
    std::unique_ptr<Node> next;
};

int main()
{
    auto list = std::make_unique<Node>(Node{1, nullptr});
    list->next = std::make_unique<Node>(Node{2, nullptr});
    std::unique_ptr<Node> result;
    std::thread t([&result, l = std::move(list)]() mutable {
        l->next->value = 20;
        result = std::move(l);
    });
    t.join();
    assert(!list && result->value == 1 && result->next->value == 20);
    result->next = nullptr;
    {
        auto deleter = [](int *p) {
            deleted += *p;
            delete p;
        };
        std::unique_ptr<int, decltype(deleter)> p(new int(3), deleter);
    }
    assert(deleted == 3);
    auto array = std::make_unique<int[]>(4);
    array[3] = 4;
    assert(array[0] == 0 && array[3] == 4);
}
