//@ verdict: race
//@ race: value 14 18
//@ about: try_to_lock may leave the lock untaken
#include <mutex>
#include <thread>

static std::mutex lock;
static int value = 0;

int main()
{
    std::thread t([] {
        std::unique_lock<std::mutex> l(lock, std::try_to_lock);
        ++value;
    });
    {
        std::lock_guard<std::mutex> g(lock);
        ++value;
    }
    t.join();
}
