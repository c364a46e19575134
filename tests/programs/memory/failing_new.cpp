//@ verdict: race-free
//@ options: --allocation may-fail
//@ flags: -std=c++17
//@ about: with --allocation may-fail new throws and the nothrow form gives null; the new handler is asked first
#include <cassert>
#include <new>
static int asked;
static void handler() {
    asked++;
    std::set_new_handler(nullptr);
}
int main() {
    std::set_new_handler(handler);
    int *q = new (std::nothrow) int(1);
    delete q;
    bool failed = false;
    try {
        delete new int(2);
    } catch (const std::bad_alloc &) {
        failed = true;
    }
    if (failed)
        assert(asked == 1);
}
