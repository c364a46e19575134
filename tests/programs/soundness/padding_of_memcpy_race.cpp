//@ verdict: race
//@ race: d.c 24 27
//@ flags: -std=c++17
//@ about: a memcpy of the program copies the padding of a class too, where a member of a derived class lies
#include <cstring>

struct B {
    int a;
    char b;
    B() {}
};

struct D : B {
    char c;
    D() { a = 1, b = 2, c = 3; }
};

D d;

int main() {
    int s = 0;
#pragma omp parallel sections num_threads(2)
    {
        { B x; std::memcpy((void *)&x, (void *)&d, sizeof(B)); s = x.a; }
#pragma omp section
        // Lies in the padding of B.
        d.c = 9;
    }
    return s - 1;
}
