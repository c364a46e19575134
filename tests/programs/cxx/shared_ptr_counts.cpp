//@ verdict: race-free
//@ about: copies of a shared_ptr in two threads: the counts are atomic, the last owner destroys
#include <cassert>
#include <memory>
#include <thread>

struct Object {
    int a = 0, b = 0;
    static int destroyed;
    ~Object()
    {
        assert(a == 1 && b == 2);
        ++destroyed;
    }
};
int Object::destroyed = 0;

int main()
{
    auto object = std::make_shared<Object>();
    std::weak_ptr<Object> weak = object;
    assert(object.use_count() == 1);
    std::thread t([mine = object]() mutable {
        mine->a = 1;
        mine.reset();
    });
    object->b = 2;
    object.reset();
    t.join();
    assert(weak.expired() && !weak.lock() && Object::destroyed == 1);
}
