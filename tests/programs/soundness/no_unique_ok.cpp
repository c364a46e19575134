//@ verdict: race-free
//@ flags: -std=c++20
//@ fixme: clang copies padding, in which another member lies
//@ about: clang copies padding, in which another member lies
// As tail_padding.free.cpp.
#include <thread>
struct B { B() {} int x = 0; char y = 0; };
struct D { [[no_unique_address]] B b; char c = 0; };
D d;
int main() {
    static_assert(sizeof(D) == 8);
    std::thread t([] { B b = d.b; (void)b.x; });
    d.c = 1;
    t.join();
}
