//@ verdict: race-free
//@ about: operator overloading, copy and move, friends, static members, placement new, member pointers, enum class
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <new>
#include <thread>
#include <utility>

class Buffer {
    int *data_;
    std::size_t size_;

public:
    static int copies, moves;
    Buffer(std::initializer_list<int> items) : data_(new int[items.size()]), size_(items.size())
    {
        std::size_t i = 0;
        for (int x : items)
            data_[i++] = x;
    }
    Buffer(const Buffer &o) : data_(new int[o.size_]), size_(o.size_)
    {
        ++copies;
        for (std::size_t i = 0; i < size_; ++i)
            data_[i] = o.data_[i];
    }
    Buffer(Buffer &&o) noexcept : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)) { ++moves; }
    Buffer &operator=(Buffer o)
    {
        std::swap(data_, o.data_);
        std::swap(size_, o.size_);
        return *this;
    }
    ~Buffer() { delete[] data_; }
    int &operator[](std::size_t i) { return data_[i]; }
    explicit operator bool() const { return size_ > 0; }
    friend bool operator==(const Buffer &a, const Buffer &b) { return a.size_ == b.size_ && a.data_[0] == b.data_[0]; }
    std::size_t size() const { return size_; }
};
int Buffer::copies = 0;
int Buffer::moves = 0;

enum class Mode : unsigned char { off, on = 200 };

struct Point {
    int x, y;
    int sum() const { return x + y; }
};

int main()
{
    Buffer a{1, 2, 3};
    Buffer b = a;
    b[1] = 20;
    std::thread t([c = std::move(b), &a]() mutable { a[0] += c[1]; });
    t.join();
    assert(a[0] == 21 && !b && a && a.size() == 3);
    b = a;
    assert(b == a && Buffer::copies == 2 && Buffer::moves >= 1);
    alignas(Point) unsigned char storage[sizeof(Point)];
    Point *p = new (storage) Point{3, 4};
    int Point::*member = &Point::y;
    int (Point::*method)() const = &Point::sum;
    assert(p->*member == 4 && (p->*method)() == 7);
    p->~Point();
    Mode m = Mode::on;
    assert(static_cast<int>(m) == 200 && sizeof(m) == 1);
    int matrix[2][2] = {{1, 2}, {3, 4}};
    int total = 0;
    for (auto &row : matrix)
        for (int x : row)
            total += x;
    assert(total == 10);
}
