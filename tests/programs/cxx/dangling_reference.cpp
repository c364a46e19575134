//@ verdict: defect
//@ defect: use-after-free 13
//@ about: a detached thread holds a reference to a local variable that is gone
#include <atomic>
#include <thread>

static std::atomic<bool> done{false};

static void start()
{
    std::atomic<int> local{1};
    std::thread([&local] {
        local.fetch_add(1);
        done = true;
    }).detach();
}

int main()
{
    start();
    while (!done)
        ;
}
