//@ verdict: race-free
//@ flags: -std=c++17
//@ about: a queue for one producer and one consumer as a template
#include <atomic>
#include <cassert>
#include <memory>
#include <optional>
#include <thread>
template <class T> class SpscQueue
{
    struct Node {
        std::optional<T> v;
        std::atomic<Node *> next{nullptr};
    };
    Node *head;
    Node *tail;

  public:
    SpscQueue() : head(new Node), tail(head)
    {
    }
    ~SpscQueue()
    {
        while (head) {
            Node *n = head->next;
            delete head;
            head = n;
        }
    }
    void push(T x)
    {
        Node *n = new Node;
        n->v = std::move(x);
        tail->next.store(n, std::memory_order_release);
        tail = n;
    }
    std::optional<T> pop()
    {
        Node *n = head->next.load(std::memory_order_acquire);
        if (!n)
            return std::nullopt;
        auto r = std::move(n->v);
        delete head;
        head = n;
        return r;
    }
};
int main()
{
    SpscQueue<int> q;
    std::thread p([&] {
        q.push(1);
        q.push(2);
    });
    int got = 0, last = 0;
    while (got < 2)
        if (auto x = q.pop()) {
            assert(*x > last);
            last = *x;
            got++;
        }
    p.join();
}
