// cxx_noexcept.cpp: calls of what must not end with an exception. C++ ends the program where one leaves a function
// registered with atexit (17.5) or a destructor of a thread's object; where a thread ends, nobody is left who could catch it.
#include "rp.h"
#include <cstddef>

extern "C" MODEL void __rp_call_noexcept(void (*f)(void *), void *arg) noexcept { f(arg); }

// ---- operator new that does not throw: what the plain one throws is a null pointer (17.6.2.2) ----

template <class Allocate> static void *null_if_it_throws(Allocate allocate) noexcept {
    try {
        return allocate();
    } catch (...) {
        return nullptr;
    }
}
extern "C" MODEL void *__rp_new_nothrow(void *(*allocate)(size_t), size_t n) {
    return null_if_it_throws([=] { return allocate(n); });
}
extern "C" MODEL void *__rp_new_aligned_nothrow(void *(*allocate)(size_t, size_t), size_t n, size_t align) {
    return null_if_it_throws([=] { return allocate(n, align); });
}
