//@ verdict: race-free
//@ flags: -std=c++20
//@ about: a local static whose initialiser throws is initialised by the next who comes
#include <cassert>
#include <thread>

static int tries;
struct Late {
    int value;
    Late() : value(1) {
        if (tries++ == 0)
            throw 1;
    }
};
static Late &late() {
    static Late object;
    return object;
}
static void use() {
    try {
        assert(late().value == 1);
    } catch (int) {
    }
}
int main() {
    std::thread a(use), b(use);
    a.join();
    b.join();
    assert(tries == 2);
}
