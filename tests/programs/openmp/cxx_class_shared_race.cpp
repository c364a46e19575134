//@ verdict: race
//@ race: meter.value|this->value|value 8 8
//@ about: a class object shared: its member function updates it
#include <cstdio>

class Meter {
public:
    void add(int v) { value += v; }
    int get() const { return value; }

private:
    int value = 0;
};

int main()
{
    Meter meter;
#pragma omp parallel for
    for (int i = 0; i < 200; i++)
        meter.add(i);
    std::printf("%d\n", meter.get());
    return 0;
}
