// record: race sum
#include <condition_variable>
#include <functional>
#include <mutex>
#include <pthread.h>
#include <queue>
#include <thread>
#include <vector>
class Pool {
    std::vector<std::thread> threads;
    std::queue<std::function<void()>> jobs;
    std::mutex m;
    std::condition_variable c;
    bool over = false;

  public:
    explicit Pool(int n) {
        for (int i = 0; i < n; i++) threads.emplace_back([this] { run(); });
    }
    void add(std::function<void()> job) {
        std::lock_guard<std::mutex> lock(m);
        jobs.push(std::move(job));
        c.notify_one();
    }
    ~Pool() {
        { std::lock_guard<std::mutex> lock(m); over = true; }
        c.notify_all();
        for (auto &t : threads) t.join();
    }

  private:
    void run() {
        for (;;) {
            std::function<void()> job;
            {
                std::unique_lock<std::mutex> lock(m);
                c.wait(lock, [this] { return over || !jobs.empty(); });
                if (jobs.empty()) return;
                job = std::move(jobs.front());
                jobs.pop();
            }
            job();
        }
    }
};
int main() {
    int sum = 0;
    // So that no thread takes two of the jobs.
    pthread_barrier_t meet;
    pthread_barrier_init(&meet, nullptr, 3);
    {
        Pool pool(3);
        for (int i = 0; i < 3; i++)
            pool.add([&sum, &meet, i] {
                pthread_barrier_wait(&meet);
                sum += i; //!
            });
    }
    return sum > 3;
}
