// record: free
#include <memory>
#include <thread>
#include <vector>
int main() {
    auto p = std::make_shared<std::vector<int>>(8, 1);
    std::vector<std::thread> threads;
    std::vector<int> sums(3);
    for (int i = 0; i < 3; i++)
        threads.emplace_back([p, i, &sums] {
            auto q = p;
            for (int v : *q) sums[i] += v;
        });
    p.reset();
    for (auto &t : threads) t.join();
    return sums[0] != 8;
}
