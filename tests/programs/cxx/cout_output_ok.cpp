//@ verdict: race-free
//@ about: several threads may print to std::cout and std::cerr at once; the format is changed before and after
#include <iomanip>
#include <iostream>
#include <string>
#include <thread>

int main()
{
    std::cout << std::hex << std::setprecision(3) << std::setfill('0');
    std::string s = "text";
    auto print = [&s] {
        std::cout << 1 << ' ' << 2.5 << "x" << s << true << 'c' << std::endl;
        std::cout.put('y').write("ab", 2).flush();
        std::cerr << 7UL << std::flush;
    };
    std::thread t(print);
    print();
    t.join();
    std::cout << std::dec << std::setw(4) << 5 << '\n';
    return 0;
}
