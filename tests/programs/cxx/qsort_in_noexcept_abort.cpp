//@ verdict: defect
//@ defect: abort 7
//@ about: an exception of a comparison function that leaves a noexcept function ends the program
#include <cstdlib>

extern "C" int compare(const void *, const void *) {
    throw 1;
}
static void sort(int *numbers) noexcept { qsort(numbers, 2, sizeof(int), compare); }
int main() {
    int numbers[2] = {2, 1};
    try {
        sort(numbers);
    } catch (int) {
    }
}
