// record: deadlock
// std::mutex in opposite order; std::scoped_lock elsewhere is fine.
#include <mutex>
#include <thread>

static std::mutex a, b, c, d;
static int n, m;

static void first() {
  std::lock_guard<std::mutex> one(a);
  std::lock_guard<std::mutex> other(b);
  n++;
}

static void second() {
  for (volatile int i = 0; i < 1000000; i++)
    ;
  std::lock_guard<std::mutex> one(b);
  std::lock_guard<std::mutex> other(a);
  m++;
}

int main() {
  std::thread x(first), y(second);
  x.join();
  y.join();
  return n + m != 2;
}
