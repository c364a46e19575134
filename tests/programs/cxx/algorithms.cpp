//@ verdict: race-free
//@ about: sort, search, transform, accumulate and friends; each thread sorts its half
#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

int main()
{
    std::vector<int> v{9, 4, 7, 1, 8, 2, 6, 3};
    auto middle = v.begin() + 4;
    std::thread t([&] { std::sort(v.begin(), middle); });
    std::sort(middle, v.end());
    t.join();
    std::inplace_merge(v.begin(), middle, v.end());
    assert(std::is_sorted(v.begin(), v.end()) && v.front() == 1 && v.back() == 9);
    assert(std::binary_search(v.begin(), v.end(), 7) && *std::lower_bound(v.begin(), v.end(), 5) == 6);
    assert(std::accumulate(v.begin(), v.end(), 0) == 40 && *std::max_element(v.begin(), v.end()) == 9);
    std::vector<int> squares(v.size());
    std::transform(v.begin(), v.end(), squares.begin(), [](int x) { return x * x; });
    assert(std::count_if(squares.begin(), squares.end(), [](int x) { return x % 2 == 0; }) == 4);
    std::sort(v.begin(), v.end(), std::greater<>());
    std::rotate(v.begin(), v.begin() + 1, v.end());
    assert(v.back() == 9 && v.front() == 8);
    v.erase(std::remove_if(v.begin(), v.end(), [](int x) { return x > 5; }), v.end());
    assert(v.size() == 4);
    std::reverse(v.begin(), v.end());
    assert(std::find(v.begin(), v.end(), 3) - v.begin() == 2);
    std::vector<std::string> words{"pear", "fig", "apple"};
    std::stable_sort(words.begin(), words.end(), [](auto &a, auto &b) { return a.size() < b.size(); });
    assert(words[0] == "fig" && words[2] == "apple" && std::all_of(words.begin(), words.end(), [](auto &w) { return w.size() > 2; }));
    std::vector<int> iota(5);
    std::iota(iota.begin(), iota.end(), 1);
    int permutations = 0;
    std::vector<int> three{1, 2, 3};
    do
        ++permutations;
    while (std::next_permutation(three.begin(), three.end()));
    assert(permutations == 6 && std::inner_product(iota.begin(), iota.end(), iota.begin(), 0) == 55);
    std::vector<int> big(100);
    std::generate(big.begin(), big.end(), [n = 0]() mutable { return (n += 37) % 101; });
    std::sort(big.begin(), big.end());
    assert(big.front() == 1 && big.back() == 100 && std::unique(big.begin(), big.end()) == big.end());
}
