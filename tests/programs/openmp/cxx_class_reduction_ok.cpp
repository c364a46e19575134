//@ verdict: race-free
//@ about: declare reduction over a class with operators
#include <cassert>

class Fraction {
public:
    Fraction() : top(0), count(0) {}
    Fraction &operator+=(const Fraction &other)
    {
        top += other.top;
        count += other.count;
        return *this;
    }
    void add(long v)
    {
        top += v;
        count++;
    }
    long total() const { return top; }
    long size() const { return count; }

private:
    long top, count;
};

#pragma omp declare reduction(+ : Fraction : omp_out += omp_in)

int main()
{
    Fraction all;
#pragma omp parallel for reduction(+ : all)
    for (int i = 0; i < 300; i++)
        all.add(i);
    assert(all.total() == 300 * 299 / 2 && all.size() == 300);
    return 0;
}
