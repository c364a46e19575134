//@ verdict: race-free
//@ about: a function registered with atexit may throw and catch
#include <cassert>
#include <cstdlib>

static int caught;
static void last() { assert(caught == 1); }
static void handler() {
    try {
        throw 1;
    } catch (int n) {
        caught = n;
    }
}
int main() {
    std::atexit(last);
    std::atexit(handler);
}
