//@ verdict: race-free
//@ about: pthread_once: an exception passes, clean-ups run on the way, and the next caller runs the routine
#include <cassert>
#include <pthread.h>
#include <string>

pthread_once_t once = PTHREAD_ONCE_INIT;
int runs, destroyed;
struct Guard {
    ~Guard() { destroyed++; }
};
extern "C" void routine() {
    Guard guard;
    if (runs++ == 0)
        throw std::string("not yet");
}
int main() {
    try {
        pthread_once(&once, routine);
        assert(false);
    } catch (const std::string &text) {
        assert(text == "not yet" && destroyed == 1);
    }
    pthread_once(&once, routine);
    pthread_once(&once, routine);
    assert(runs == 2 && destroyed == 2);
}
