//@ repair new-lock
#include <thread>
int x = 1;
static int get() { return x; }
static void serve() { x = x * 2; }
int main() {
    std::thread t(serve);
    int y = get();
    t.join();
    return y == 7;
}
