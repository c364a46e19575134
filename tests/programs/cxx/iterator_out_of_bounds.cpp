//@ verdict: defect
//@ defect: out-of-bounds 10
//@ about: an index behind the end of a vector's storage
#include <vector>

int main()
{
    std::vector<int> v(3);
    int *p = v.data();
    p[3] = 1;
    return 0;
}
