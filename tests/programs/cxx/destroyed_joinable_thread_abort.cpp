//@ verdict: defect
//@ defect: abort 11
//@ about: destroying a thread that was neither joined nor detached calls std::terminate
#include <thread>

static void work() {}

static void start()
{
    std::thread t(work);
}

int main()
{
    start();
}
