//@ verdict: defect
//@ defect: use-after-free 14
//@ flags: -std=c++17
//@ about: a thread writes to an object of a block behind the atomic flag on which the block is left
#include <atomic>
#include <thread>

struct Job {
    std::atomic<bool> done{false};
    int value = 0;
    void run() {
        done = true;
        // The owner may be gone.
        value = 3;
    }
};

int main() {
    std::thread t;
    {
        Job job;
        t = std::thread([&job] { job.run(); });
        while (!job.done) {
        }
    }
    t.join();
}
