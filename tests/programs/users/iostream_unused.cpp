//@ verdict: race-free
//@ flags: -std=c++17
//@ about: the header of the streams is included but no stream is used
#include <iostream>
#include <thread>
static int x;
int main()
{
    std::thread t([] {
        x = 1;
    });
    t.join();
    return x - 1;
}
