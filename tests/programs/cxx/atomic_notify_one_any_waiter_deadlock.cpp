//@ verdict: defect
//@ flags: -std=c++20
//@ defect: deadlock 9
//@ about: notify_one unblocks any waiter ([atomics.wait]): if it is the second, nobody notifies the first
#include <atomic>
#include <thread>
std::atomic<int> a;
int main() {
  std::thread w1([] { a.wait(0); a.notify_one(); });
  std::thread w2([] { a.wait(0); });
  a.store(1);
  a.notify_one();
  w1.join();
  w2.join();
  return 0;
}
