//@ verdict: defect
//@ defect: deadlock 15
//@ about: two lock_guards in the order of the arguments
#include <mutex>
#include <thread>

struct Account {
    std::mutex lock;
    int balance = 100;
};

static void transfer(Account &from, Account &to, int amount)
{
    std::lock_guard<std::mutex> first(from.lock);
    std::lock_guard<std::mutex> second(to.lock);
    from.balance -= amount;
    to.balance += amount;
}

int main()
{
    Account x, y;
    std::thread t([&] { transfer(x, y, 30); });
    transfer(y, x, 10);
    t.join();
}
