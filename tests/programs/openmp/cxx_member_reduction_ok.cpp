//@ verdict: race-free
//@ about: data clauses on members of the object
#include <cassert>

class Tally {
public:
    void run(int n)
    {
#pragma omp parallel for reduction(+ : sum) lastprivate(last)
        for (int i = 0; i < n; i++) {
            sum += i;
            last = i;
        }
    }
    long sum = 0;
    int last = -1;
};

int main()
{
    Tally tally;
    tally.run(200);
    assert(tally.sum == 200 * 199 / 2 && tally.last == 199);
    return 0;
}
