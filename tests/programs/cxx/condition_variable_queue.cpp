//@ verdict: race-free
//@ about: a queue with std::condition_variable and a predicate
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

template <typename T> class Channel {
    std::mutex lock_;
    std::condition_variable filled_;
    std::queue<T> items_;

public:
    void send(T item)
    {
        {
            std::lock_guard<std::mutex> g(lock_);
            items_.push(std::move(item));
        }
        filled_.notify_one();
    }
    T receive()
    {
        std::unique_lock<std::mutex> l(lock_);
        filled_.wait(l, [this] { return !items_.empty(); });
        T item = std::move(items_.front());
        items_.pop();
        return item;
    }
};

int main()
{
    Channel<int> channel;
    std::thread producer([&] {
        channel.send(40);
        channel.send(2);
    });
    int first = channel.receive(), second = channel.receive();
    producer.join();
    assert(first == 40 && second == 2);
}
