//@ verdict: race
//@ races: at-least
//@ about: neighbouring elements of vector<bool> share a word, so writing two of them races
#include <thread>
#include <vector>

int main()
{
    std::vector<bool> seen(2);
    std::thread t([&] { seen[0] = true; });
    seen[1] = true;
    t.join();
    return 0;
}
