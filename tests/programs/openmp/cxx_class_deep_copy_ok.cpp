//@ verdict: race-free
//@ about: a class with a pointer in firstprivate: the copy constructor makes a copy of the memory
#include <cassert>
#include <cstring>

struct Buffer {
    int *data;
    int size;
    explicit Buffer(int n) : data(new int[n]()), size(n) {}
    Buffer(const Buffer &other) : data(new int[other.size]), size(other.size)
    {
        std::memcpy(data, other.data, sizeof(int) * size);
    }
    Buffer &operator=(const Buffer &) = delete;
    ~Buffer() { delete[] data; }
};

int main()
{
    Buffer buffer(100);
    buffer.data[3] = 30;
    int sum = 0;
#pragma omp parallel firstprivate(buffer) reduction(+ : sum) num_threads(2)
    {
        for (int i = 0; i < 100; i++)
            buffer.data[i] += 1;
        sum += buffer.data[3];
    }
    assert(buffer.data[3] == 30 && sum == 62);
    return 0;
}
