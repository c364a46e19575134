//@ verdict: race-free
//@ flags: -std=c++17
//@ about: exceptions leave a guarded section and are collected by index
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>
std::mutex m;
int total;
void risky(int i)
{
    std::lock_guard<std::mutex> g(m);
    if (i == 1)
        throw std::runtime_error("bad");
    total += i;
}
int main()
{
    std::vector<std::thread> ts;
    std::vector<std::exception_ptr> errs(3);
    for (int i = 0; i < 3; i++)
        ts.emplace_back([i, &errs] {
            try {
                risky(i);
            } catch (...) {
                errs[i] = std::current_exception();
            }
        });
    for (auto &t : ts)
        t.join();
    int bad = 0;
    for (auto &e : errs)
        if (e) {
            try {
                std::rethrow_exception(e);
            } catch (std::exception &x) {
                bad++;
                std::cout << x.what() << '\n';
            }
        }
    std::cout << total << bad << '\n';
}
