//@ verdict: race
//@ race: hits 10 12
//@ about: an async task runs beside its creator until the future is waited for
#include <future>

int main()
{
    int hits = 0;
    auto f = std::async(std::launch::async, [&] {
        hits++;
    });
    hits++;
    f.get();
    return hits > 2;
}
