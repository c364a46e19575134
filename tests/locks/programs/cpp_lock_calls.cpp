#include <mutex>
#include <thread>
std::mutex m;
int x = 1, own[2];
static void serve(int i) {
    m.lock(); //@ needed race, shrink
    own[i] = i;
    x = x * 2;
    m.unlock();
}
int main() {
    std::thread a(serve, 0), b(serve, 1);
    a.join();
    b.join();
    return x - 4;
}
