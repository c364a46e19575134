//@ verdict: defect
//@ defect: assertion 15
//@ about: a firstprivate object whose memory an iteration changes: iterations of one task share it
#include <cassert>
#include <vector>

int main()
{
    std::vector<int> v(2, 1);
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop firstprivate(v)
    for (int i = 0; i < 3; i++) {
        v[0]++;
        assert(v[0] == 2);
    }
}
