//@ verdict: race-free
//@ about: threads write different elements of one vector that does not grow
#include <cassert>
#include <numeric>
#include <thread>
#include <vector>

int main()
{
    std::vector<int> parts(3);
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back([&parts, i] { parts[i] = i + 1; });
    for (auto &t : threads)
        t.join();
    assert(std::accumulate(parts.begin(), parts.end(), 0) == 6);
}
