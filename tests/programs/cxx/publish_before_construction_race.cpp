//@ verdict: race
//@ race: size|this->size|w->size|current->size 15 24
//@ about: an object is published from its constructor before it is complete
#include <atomic>
#include <thread>

struct Widget;
static std::atomic<Widget *> current{nullptr};

struct Widget {
    int size;
    Widget()
    {
        current.store(this);
        size = 4;
    }
};

int main()
{
    std::thread t([] { new Widget; });
    Widget *w = current.load();
    int seen = w ?
        w->size : 0;
    t.join();
    return seen > 4;
}
