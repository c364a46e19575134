//@ verdict: race
//@ races: at-least
//@ flags: -std=c++20
//@ about: changing the format of std::cout is no output function: two threads must not ([iostream.objects.overview])
#include <iostream>
#include <thread>
int main() {
  std::thread t([] { std::cout << std::hex; });
  std::cout << std::dec;
  t.join();
  return 0;
}
