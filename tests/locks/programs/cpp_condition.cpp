// A lock object that a condition variable uses cannot be taken out of the text by itself.
#include <condition_variable>
#include <mutex>
#include <thread>
static std::mutex m;
static std::condition_variable ready;
static bool set;
int main() {
    std::thread a([] {
        std::unique_lock<std::mutex> hold(m); //@ undecided (`hold` is used in another way at line 11)
        ready.wait(hold, [] { return set; });
    });
    {
        std::lock_guard<std::mutex> hold(m); //@ needed race
        set = true;
    }
    ready.notify_one();
    a.join();
}
