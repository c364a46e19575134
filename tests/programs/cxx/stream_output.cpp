//@ verdict: race-free
//@ about: two threads may write to std::cout at the same time; the characters mix, but nothing races
#include <iomanip>
#include <iostream>
#include <string>
#include <thread>

int main()
{
    std::thread t([] { std::cout << "from the thread " << 1 << std::endl; });
    std::cout << "from main " << 2.5 << '\n' << std::flush;
    t.join();
    std::cout << std::hex << std::setw(4) << 255 << std::dec << '\n';
    std::cerr << std::string("done") << std::endl;
}
