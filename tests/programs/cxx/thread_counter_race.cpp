//@ verdict: race
//@ race: counter 11 11
//@ about: std::thread without a lock
#include <iostream>
#include <thread>

static int counter = 0;

static void work()
{
    ++counter;
}

int main()
{
    std::thread a(work), b(work);
    a.join();
    b.join();
    std::cout << counter << '\n';
}
