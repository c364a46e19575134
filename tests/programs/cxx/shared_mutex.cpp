//@ verdict: race-free
//@ about: std::shared_mutex with shared and unique locks
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

class Cell {
    mutable std::shared_mutex lock_;
    int a_ = 0, b_ = 0;

public:
    void set(int v)
    {
        std::unique_lock l(lock_);
        a_ = v;
        b_ = v;
    }
    int get() const
    {
        std::shared_lock l(lock_);
        assert(a_ == b_);
        return a_;
    }
};

int main()
{
    Cell cell;
    int seen = -1;
    std::thread w([&] { cell.set(5); });
    std::thread r([&] { seen = cell.get(); });
    int mine = cell.get();
    w.join();
    r.join();
    assert((seen == 0 || seen == 5) && (mine == 0 || mine == 5) && cell.get() == 5);
}
