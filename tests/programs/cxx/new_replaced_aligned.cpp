//@ verdict: race-free
//@ flags: -std=c++17
//@ about: replaced aligned new and delete; the array form goes there, plain objects do not
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <new>

static int news, deletes;
void *operator new(std::size_t n, std::align_val_t a) {
    news++;
    return std::aligned_alloc(static_cast<std::size_t>(a), n);
}
void operator delete(void *p, std::align_val_t) noexcept {
    deletes++;
    std::free(p);
}
struct alignas(64) Wide {
    char bytes[64];
};
int main() {
    Wide *p = new Wide, *q = new Wide[2];
    assert(reinterpret_cast<std::uintptr_t>(p) % 64 == 0);
    delete p;
    delete[] q;
    delete new int(3);
    assert(news == 2 && deletes == 2);
}
