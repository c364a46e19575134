//@ verdict: defect
//@ defect: assertion 13
//@ about: distribute without dist_schedule: a team may execute its iterations in any order
#include <assert.h>

int main(void)
{
#pragma omp teams num_teams(2)
    {
        int before = -1;
#pragma omp distribute
        for (int i = 0; i < 3; i++) {
            assert(i > before);
            before = i;
        }
    }
    return 0;
}
