//@ verdict: race-free
//@ flags: -std=c++17
//@ about: replacing plain new and delete serves arrays, nothrow forms and deletes with a size
#include <cassert>
#include <cstdlib>
#include <new>

static int news, deletes;
void *operator new(std::size_t n) {
    news++;
    if (void *p = std::malloc(n))
        return p;
    throw std::bad_alloc();
}
void operator delete(void *p) noexcept {
    deletes++;
    std::free(p);
}
struct Big {
    virtual ~Big() {}
    int fields[4];
};
int main() {
    delete new int(1);
    delete[] new int[3];
    delete new (std::nothrow) int(2);
    delete[] new (std::nothrow) Big[2];
    Big *p = new Big;
    delete p;
    assert(news == 5 && deletes == 5);
}
