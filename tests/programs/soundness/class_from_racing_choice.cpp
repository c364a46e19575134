//@ verdict: defect
//@ defect: assertion 34
//@ about: which class an object has depends on who came first: dynamic_cast decides by it
#include <cassert>
#include <mutex>
#include <new>
#include <thread>

struct Base {
    virtual ~Base() {}
};
struct One : Base {
};
struct Two : Base {
};
static std::mutex guard;
alignas(Base) static char place[sizeof(Base)];
static Base *object = new (place) One;

static void change() {
    guard.lock();
    object->~Base();
    object = new (place) Two;
    guard.unlock();
}
static void look() {

    guard.lock();
    Base *seen = object;
    bool one = dynamic_cast<One *>(seen) != nullptr;
    guard.unlock();


    assert(one);
}
int main() {
    std::thread a(look), b(change);
    a.join();
    b.join();
}
