//@ verdict: race-free
//@ about: a class object in copyprivate is assigned to every thread's copy
#include <cassert>

struct Setting {
    int depth = 0;
    double scale = 1.0;
};

int main()
{
    int bad = 0;
#pragma omp parallel reduction(+ : bad)
    {
        Setting mine;
#pragma omp single copyprivate(mine)
        {
            mine.depth = 6;
            mine.scale = 0.25;
        }
        mine.depth++;
        bad += mine.depth != 7 || mine.scale != 0.25;
    }
    assert(bad == 0);
    return 0;
}
