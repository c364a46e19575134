// A lock object that is given back early; another that guards what one thread alone touches.
#include <mutex>
#include <thread>
static std::mutex m, n;
static int shared, slots[2];
static void work(int me) {
    std::unique_lock<std::mutex> hold(m); //@ needed race
    shared += me;
    shared *= 2;
    hold.unlock();
    std::unique_lock<std::mutex> other(n); //@ superfluous
    slots[me] = 1;
    other.unlock();
    other.lock();
    slots[me] += 1;
}
int main() {
    std::thread a(work, 0), b(work, 1);
    a.join();
    b.join();
    return shared + slots[0] + slots[1];
}
