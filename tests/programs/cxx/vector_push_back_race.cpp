//@ verdict: race
//@ races: at-least
//@ about: two threads push into the same vector
#include <thread>
#include <vector>

static std::vector<int> items;

int main()
{
    std::thread a([] { items.push_back(1); });
    std::thread b([] { items.push_back(2); });
    a.join();
    b.join();
    return 0;
}
