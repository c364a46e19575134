//@ verdict: race
//@ race: x 15 15
//@ about: an iterator of a private array remembers that the thread was here
#include <array>
int x;
int main()
{
#pragma omp parallel num_threads(2)
    {
        std::array<int, 2> seen{};
        auto it = seen.begin();
#pragma omp for
        for (int i = 0; i < 4; i++) {
            if (it[1])
                x = i;
            it[1] = 1;
        }
    }
}
