//@ verdict: race
//@ race: value 13 20
//@ flags: -std=c++20
//@ about: a call that threw orders nothing after itself: reading behind the handler races with the next attempt
#include <mutex>
#include <thread>

std::once_flag flag;
int tries, value;
void init() {
    if (tries++ == 0)
        throw 1;
    value = 1;
}

void first() {
    try {
        std::call_once(flag, init);
    } catch (int) {
        (void)(value == 1);
    }
}
int main() {
    std::thread other(first);
    first();
    other.join();
}
