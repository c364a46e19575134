//@ verdict: race-free
//@ flags: -std=c++17
//@ about: a logger made by call_once, another as a local static, fold expressions into a stream
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
class Logger
{
    static Logger *inst;
    static std::once_flag once;
    std::mutex m;
    std::ostringstream os;

  public:
    static Logger &get()
    {
        std::call_once(once, [] {
            inst = new Logger;
        });
        return *inst;
    }
    template <class... A> void log(A &&...a)
    {
        std::lock_guard<std::mutex> l(m);
        ((os << a << ' '), ...);
        os << '\n';
    }
    std::string text()
    {
        return os.str();
    }
};
Logger *Logger::inst;
std::once_flag Logger::once;
Logger &meyers()
{
    static Logger l;
    return l;
}
int main()
{
    std::thread a([] {
        Logger::get().log("a", 1, 2.5);
        meyers().log(1);
    }),
        b([] {
            Logger::get().log("b", std::string("x"));
            meyers().log(2);
        });
    a.join();
    b.join();
    std::cout << Logger::get().text().size() << std::endl;
}
