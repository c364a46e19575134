//@ verdict: race-free
//@ flags: -std=c++17
//@ about: a channel of optional strings that can be closed
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <queue>
#include <string>
#include <thread>
template <class T> class Channel
{
    std::queue<T> q;
    std::mutex m;
    std::condition_variable cv;
    bool closed = false;

  public:
    void send(T v)
    {
        {
            std::lock_guard l(m);
            q.push(std::move(v));
        }
        cv.notify_one();
    }
    void close()
    {
        {
            std::lock_guard l(m);
            closed = true;
        }
        cv.notify_all();
    }
    std::optional<T> recv()
    {
        std::unique_lock l(m);
        cv.wait(l, [&] {
            return closed || !q.empty();
        });
        if (q.empty())
            return {};
        T v = std::move(q.front());
        q.pop();
        return v;
    }
};
int main()
{
    Channel<std::string> c;
    std::string all;
    std::thread t([&] {
        while (auto s = c.recv())
            all += *s;
    });
    c.send("a");
    c.send("bc");
    c.close();
    t.join();
    assert(all == "abc");
}
