// Two mutexes taken together, in a class; reading after the threads have ended needs none.
#include <mutex>
#include <thread>
class Account {
    mutable std::mutex mutex_;
    int balance_ = 100;

public:
    static void move(Account &from, Account &to, int amount) {
        std::scoped_lock both(from.mutex_, to.mutex_); //@ needed race
        from.balance_ -= amount;
        to.balance_ += amount;
    }
    int balance() const {
        std::lock_guard<std::mutex> hold(mutex_); //@ superfluous
        return balance_;
    }
};
int main() {
    Account x, y;
    std::thread a([&] { Account::move(x, y, 1); });
    std::thread b([&] { Account::move(y, x, 2); });
    a.join();
    b.join();
    return x.balance() + y.balance() == 200 ? 0 : 1;
}
