//@ verdict: race
//@ race: sum|this->sum|tally.sum 12 12
//@ about: a region inside a member function: the members are shared
#include <cstdio>

class Tally {
public:
    void run(int n)
    {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            sum += i;
    }
    long sum = 0;
};

int main()
{
    Tally tally;
    tally.run(200);
    std::printf("%ld\n", tally.sum);
    return 0;
}
