//@ verdict: race
//@ race: total 9 9
//@ about: two threads get the same variable through std::ref
#include <functional>
#include <thread>

static void add(int &total, int n)
{
    total += n;
}

int main()
{
    int total = 0;
    std::thread a(add, std::ref(total), 1);
    std::thread b(add, std::ref(total), 2);
    a.join();
    b.join();
    return 0;
}
