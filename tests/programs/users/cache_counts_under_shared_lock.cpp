//@ verdict: race
//@ race: c.hits|hits|this->hits 26 26
//@ flags: -std=c++17
//@ about: a mutable counter changes under a shared lock; time and random numbers are data
#include <chrono>
#include <iostream>
#include <map>
#include <mutex>
#include <random>
#include <shared_mutex>
#include <string>
#include <thread>
class Cache
{
    mutable std::shared_mutex m;
    std::map<std::string, int> d;
    mutable int hits = 0;

  public:
    int get(const std::string &k) const
    {
        std::shared_lock l(m);
        auto it = d.find(k);
        if (it == d.end())
            return -1;
        ++hits;
        return it->second;
    }
    void put(std::string k, int v)
    {
        std::unique_lock l(m);
        d.insert_or_assign(std::move(k), v);
    }
};
int main()
{
    auto t0 = std::chrono::steady_clock::now();
    std::mt19937 rng(42);
    std::uniform_int_distribution<int> dist(1, 6);
    int sum = 0;
    for (int i = 0; i < 10; i++)
        sum += dist(rng);
    Cache c;
    c.put("a", sum);
    std::thread r1([&] {
        c.get("a");
    }),
        r2([&] {
            c.get("a");
            c.get("b");
        });
    c.put("b", 2);
    r1.join();
    r2.join();
    auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - t0);
    std::cout << sum << ' ' << ms.count() << "ms\n";
}
