//@ verdict: race
//@ races: at-least
//@ about: one shared_ptr variable is assigned by one thread and copied by another
#include <memory>
#include <thread>

static std::shared_ptr<int> current = std::make_shared<int>(1);

int main()
{
    std::thread t([] { current = std::make_shared<int>(2); });
    std::shared_ptr<int> mine = current;
    t.join();
    return mine ? 0 : 1;
}
