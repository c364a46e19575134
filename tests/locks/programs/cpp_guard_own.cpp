#include <mutex>
#include <thread>
std::mutex m;
int slots[2];
static void serve(int i) {
    std::lock_guard<std::mutex> guard(m); //@ superfluous
    slots[i] = i + 1;
}
int main() {
    std::thread a(serve, 0), b(serve, 1);
    a.join();
    b.join();
    return slots[1] - 2;
}
