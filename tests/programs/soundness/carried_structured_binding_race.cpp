//@ verdict: race
//@ race: x 16 16
//@ about: structured bindings name the members of a private object
#include <utility>
int x;
int main()
{
#pragma omp parallel num_threads(2)
    {
        std::pair<int, int> pair{0, 0};
        auto &[first, second] = pair;
        int &seen = first, &last = second;
#pragma omp for
        for (int i = 0; i < 4; i++) {
            if (seen)
                x = last;
            seen = 1;
            last = i;
        }
    }
}
