//@ verdict: race
//@ race: total 12 12
//@ about: destructors of thread_local objects run in their own threads
#include <thread>

static int total = 0;

struct Tally {
    int n = 0;
    ~Tally()
    {
        total += n;
    }
};

static thread_local Tally tally;

static void work()
{
    ++tally.n;
}

int main()
{
    std::thread a(work), b(work);
    a.join();
    b.join();
    return total > 2;
}
