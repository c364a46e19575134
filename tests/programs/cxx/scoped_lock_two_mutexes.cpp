//@ verdict: race-free
//@ about: std::scoped_lock takes two mutexes named in opposite orders without deadlock
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
    std::mutex lock;
    int balance = 100;
};

static void transfer(Account &from, Account &to, int amount)
{
    std::scoped_lock both(from.lock, to.lock);
    from.balance -= amount;
    to.balance += amount;
}

int main()
{
    Account x, y;
    std::thread t([&] { transfer(x, y, 30); });
    transfer(y, x, 10);
    t.join();
    assert(x.balance == 80 && y.balance == 120);
}
