//@ verdict: race-free
//@ flags: -std=c++17 -fsized-deallocation
//@ about: a replaced sized delete gets the size; a default one calls the plain delete
#include <cassert>
#include <cstdlib>
#include <new>

static std::size_t last;
static int plain;
void *operator new(std::size_t n) { return std::malloc(n); }
void operator delete(void *p) noexcept {
    plain++;
    std::free(p);
}
void operator delete(void *p, std::size_t n) noexcept {
    last = n;
    std::free(p);
}
int main() {
    delete new long(1);
    assert(last == sizeof(long) && plain == 0);
    delete[] new char[5];
    assert(plain == 1);
}
