//@ verdict: race
//@ race: cout 9 10
//@ about: changing the precision of std::cout while another thread prints ([iostream.objects.overview])
#include <iostream>
#include <thread>

int main()
{
    std::thread t([] { std::cout.precision(3); });
    std::cout << 1.5 << '\n';
    t.join();
    return 0;
}
