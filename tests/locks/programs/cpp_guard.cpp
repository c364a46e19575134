#include <mutex>
#include <thread>
std::mutex m;
int x = 1;
static void serve() {
    std::lock_guard<std::mutex> guard(m); //@ needed race
    x = x * 2;
}
int main() {
    std::thread a(serve), b(serve);
    a.join();
    b.join();
    return x - 4;
}
