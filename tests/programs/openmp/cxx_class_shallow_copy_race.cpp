//@ verdict: race
//@ race: *cell|shared|*holder.cell|holder.cell[0]|*this->cell|*h.cell 19 19
//@ about: a class with a pointer in firstprivate: the copies point to the same memory
#include <cstdio>

struct Holder {
    int *cell;
    explicit Holder(int *c) : cell(c) {}
    Holder(const Holder &other) : cell(other.cell) {}
};

int main()
{
    int shared = 0;
    Holder h(&shared);
#pragma omp parallel firstprivate(h)
    {
        for (int k = 0; k < 50; k++)
            *h.cell += k;
    }
    std::printf("%d\n", shared);
    return 0;
}
