//@ verdict: defect
//@ defect: use-after-free 12
//@ about: a reference into a vector is used after the vector has grown
#include <vector>

int main()
{
    std::vector<int> v{1, 2, 3};
    int &first = v[0];
    for (int i = 0; i < 10; ++i)
        v.push_back(i);
    first = 9;
    return 0;
}
