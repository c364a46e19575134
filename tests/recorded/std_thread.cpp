// record: race total
#include <mutex>
#include <thread>
int total, safe;
static std::mutex m;
static void work() {
    { std::lock_guard<std::mutex> lock(m); safe++; }
    total++; //!
}
int main() {
    std::thread a(work), b(work);
    a.join();
    b.join();
    return safe != 2;
}
