//@ verdict: race
//@ race: news 11 11
//@ flags: -std=c++17
//@ about: a replaced new that counts without a lock
#include <cstdlib>
#include <thread>
#include <new>

static int news;
void *operator new(std::size_t n) {
    news++;
    return std::malloc(n);
}
void operator delete(void *p) noexcept { std::free(p); }
static void work() { delete new int(1); }
int main() {
    std::thread a(work);
    work();
    a.join();
}
