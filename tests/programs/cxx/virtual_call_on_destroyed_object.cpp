//@ verdict: defect
//@ defect: use-after-free 24
//@ about: a virtual call on an object that another thread deleted under the lock
#include <mutex>
#include <thread>

struct Task {
    virtual ~Task() = default;
    virtual int run() { return 1; }
};

static std::mutex lock;
static Task *task = new Task;

int main()
{
    std::thread t([] {
        std::lock_guard<std::mutex> g(lock);
        delete task;
    });
    int r = 0;
    {
        std::lock_guard<std::mutex> g(lock);
        r = task->run();
    }
    t.join();
    return r - 1;
}
