//@ verdict: race-free
//@ about: C++ output under a critical section: what the library initialises before main is no concern of the threads
#include <iostream>
#include <omp.h>

int main()
{
    long sum = 0;
#pragma omp parallel for
    for (int i = 0; i < 50; i++) {
#pragma omp critical
        {
            std::cout << "iteration " << i << " on thread " << omp_get_thread_num() << std::endl;
            sum += i;
        }
    }
    std::cout << sum << '\n';
}
