//@ verdict: race-free
//@ about: vector, map, unordered_map, set, deque, list, array and their iteration; readers in two threads
#include <array>
#include <cassert>
#include <deque>
#include <list>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

int main()
{
    std::vector<int> v;
    for (int i = 0; i < 10; ++i)
        v.push_back(i * i);
    v.insert(v.begin() + 1, 100);
    v.erase(v.begin());
    v.emplace_back(-1);
    assert(v.size() == 11 && v.front() == 100 && v.back() == -1 && v.at(3) == 9);
    std::vector<std::vector<int>> grid(2, std::vector<int>(3, 7));
    grid[1][2] = 1;
    assert(grid[0][2] + grid[1][2] == 8);

    std::map<std::string, int> m{{"two", 2}, {"one", 1}};
    m["three"] = 3;
    ++m["one"];
    assert(m.size() == 3 && m.begin()->first == "one" && m.at("one") == 2 && m.count("four") == 0);
    m.erase("two");
    std::string keys;
    for (const auto &[key, value] : m)
        keys += key + std::to_string(value);
    assert(keys == "one2three3");

    std::unordered_map<int, std::string> u;
    for (int i = 0; i < 20; ++i)
        u[i] = std::to_string(i);
    assert(u.size() == 20 && u.find(13)->second == "13" && u.find(99) == u.end());

    std::set<int> s{5, 1, 3, 1};
    assert(s.size() == 3 && *s.begin() == 1 && s.lower_bound(2) != s.end() && *s.lower_bound(2) == 3);
    std::deque<int> d{2};
    d.push_front(1);
    d.push_back(3);
    d.pop_front();
    assert(d.size() == 2 && d[0] == 2 && d.back() == 3);
    std::list<int> l{3, 1, 2};
    l.sort();
    l.remove(2);
    assert(l.size() == 2 && l.front() == 1 && l.back() == 3);
    std::array<int, 3> a{4, 5, 6};
    assert(a.size() == 3 && a[2] == 6);

    int found = 0;
    std::thread t([&] { found = m.at("three") + u.at(7).size() + v[1]; });
    int here = m.at("three") + static_cast<int>(u.at(7).size()) + v[1];
    t.join();
    assert(found == here && here == 5);
}
