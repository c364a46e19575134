//@ verdict: race-free
//@ about: once answered wrongly because a destroyed object is not forgotten when its memory is written again
//@ flags: -std=c++17
//@ about: a condition variable is destroyed and another one made in the same memory
#include <condition_variable>
#include <optional>

std::optional<std::condition_variable> cv;

int main()
{
    for (int i = 0; i < 2; i++) {
        cv.emplace();
        cv->notify_one();
        cv.reset();
    }
}
