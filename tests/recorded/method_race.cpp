// record: race
#include <thread>
struct Account {
    int balance = 0;
    void deposit(int n) { balance += n; } //!
};
int main() {
    Account account;
    std::thread a([&] { account.deposit(1); }), b([&] { account.deposit(2); });
    a.join();
    b.join();
    return account.balance > 3;
}
