//@ verdict: race-free
//@ about: a map shared under a mutex
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static std::map<std::string, int> scores;

static void score(const std::string &name, int points)
{
    std::lock_guard<std::mutex> g(lock);
    scores[name] += points;
}

int main()
{
    std::thread t([] { score("ada", 3); });
    score("ada", 4);
    t.join();
    assert(scores.size() == 1 && scores["ada"] == 7);
}
