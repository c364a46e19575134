// record: free
#include <string>
#include <thread>
static const std::string &name() {
    static const std::string it(40, 'x');
    return it;
}
int main() {
    size_t a = 0, b = 0;
    std::thread s([&] { a = name().size(); }), t([&] { b = name().size(); });
    s.join();
    t.join();
    return a != b;
}
