//@ verdict: race-free
//@ flags: -std=c++20
//@ about: std::call_once runs the function again until one call returns; what it wrote before is ordered
#include <cassert>
#include <mutex>
#include <thread>

std::once_flag flag;
int tries, value;

void init() {
    if (++tries < 3)
        throw tries;
    value = tries;
}
void once() {
    for (;;) {
        try {
            std::call_once(flag, init);
            assert(value == 3);
            return;
        } catch (int n) {
            assert(n < 3);
        }
    }
}
int main() {
    std::thread other(once);
    once();
    other.join();
    assert(tries == 3);
}
