// record: free
#include <future>
int main() {
    int data = 0;
    std::promise<int> p;
    auto f = p.get_future();
    std::thread t([&] {
        data = 5;
        p.set_value(1);
    });
    int got = f.get() + data;
    t.join();
    return got != 6;
}
