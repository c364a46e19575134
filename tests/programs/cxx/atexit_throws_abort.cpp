//@ verdict: defect
//@ defect: abort 7
//@ about: an exception that leaves a function registered with atexit ends the program, whoever could catch it
#include <cstdlib>

static void handler() {
    throw 1;
}
int main() {
    std::atexit(handler);
    try {
        std::exit(0);
    } catch (int) {
    }
}
