//@ verdict: race-free
//@ flags: -std=c++17
//@ about: a replaced new that throws makes the default nothrow form give a null pointer
#include <cassert>
#include <cstdlib>
#include <new>

static bool full;
void *operator new(std::size_t n) {
    if (full)
        throw std::bad_alloc();
    return std::malloc(n);
}
void operator delete(void *p) noexcept { std::free(p); }
int main() {
    full = true;
    int *one = new (std::nothrow) int(1), *two = new (std::nothrow) int[2];
    assert(one == nullptr && two == nullptr);
    bool caught = false;
    try {
        int *p = new int[2];
        *p = 1;
    } catch (const std::bad_alloc &) {
        caught = true;
    }
    assert(caught);
}
