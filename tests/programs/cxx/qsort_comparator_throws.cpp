//@ verdict: race-free
//@ about: qsort and bsearch: an exception of the comparison function passes to the caller
#include <cassert>
#include <cstdlib>

static int left = 3;
extern "C" int compare(const void *a, const void *b) {
    if (--left == 0)
        throw 7;
    return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}
int main() {
    int numbers[6] = {5, 2, 9, 1, 7, 3}, caught = 0;
    try {
        qsort(numbers, 6, sizeof(int), compare);
    } catch (int n) {
        caught = n;
    }
    assert(caught == 7);
    left = 1;
    try {
        int key = 2;
        bsearch(&key, numbers, 6, sizeof(int), compare);
        assert(false);
    } catch (int) {
        caught++;
    }
    assert(caught == 8);
}
