//@ verdict: defect
//@ flags: -std=c++20
//@ defect: deadlock 11
//@ about: the second lock_shared may wait behind a writer who waits for the first
#include <shared_mutex>
#include <thread>
std::shared_mutex m;
int main() {
  std::thread t([] { m.lock(); m.unlock(); });
  m.lock_shared();
  m.lock_shared();
  m.unlock_shared();
  m.unlock_shared();
  t.join();
  return 0;
}
