//@ verdict: race-free
//@ about: a region inside a member function of a template, with a reduction over a member
#include <cassert>

template <typename T, int N> class Tally {
public:
    void fill()
    {
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            cells[i] = static_cast<T>(i);
    }
    T total()
    {
        T local = T();
#pragma omp parallel for reduction(+ : local)
        for (int i = 0; i < N; i++)
            local += cells[i];
        return local;
    }

private:
    T cells[N];
};

int main()
{
    static Tally<long, 200> tally;
    tally.fill();
    assert(tally.total() == 200 * 199 / 2);
    return 0;
}
