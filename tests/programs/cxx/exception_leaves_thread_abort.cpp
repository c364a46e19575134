//@ verdict: defect
//@ defect: abort 10
//@ about: an exception that leaves a thread's function ends the program through std::terminate
#include <stdexcept>
#include <thread>

int main()
{
    std::thread t([] {
        throw std::runtime_error("nobody catches this");
    });
    t.join();
}
