//@ verdict: race
//@ races: at-least
//@ about: two threads append to the same string
#include <string>
#include <thread>

static std::string text;

int main()
{
    std::thread a([] { text += "a"; });
    std::thread b([] { text += "b"; });
    a.join();
    b.join();
    return 0;
}
