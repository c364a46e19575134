//@ verdict: race-free
//@ flags: -std=c++20
//@ about: a member in the tail padding of a class that is copied
#include <thread>
struct B { B() {} int x = 0; char y = 0; };
struct D : B { char c = 0; };
D d;
int main() {
    static_assert(sizeof(D) == 8);
    std::thread t([] { B b = d; (void)b.x; });
    d.c = 1;
    t.join();
}
