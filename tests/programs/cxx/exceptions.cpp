//@ verdict: race-free
//@ about: exceptions thrown and caught: hierarchies, rethrow, unwinding with destructors, function boundaries
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

static int alive = 0;

struct Tracer {
    Tracer() { ++alive; }
    ~Tracer() { --alive; }
};

struct MyError : std::runtime_error {
    int code;
    MyError(const std::string &what, int c) : std::runtime_error(what), code(c) {}
};

static int depth(int n)
{
    Tracer t;
    if (n == 0)
        throw MyError("deep", 12);
    return depth(n - 1) + 1;
}

static int attempt(int kind)
{
    try {
        Tracer t;
        switch (kind) {
        case 0:
            depth(3);
            break;
        case 1:
            throw 42;
        case 2:
            throw std::out_of_range("range");
        case 3:
            throw "text";
        default:
            return 0;
        }
    } catch (const MyError &e) {
        return e.code + static_cast<int>(std::string(e.what()).size());
    } catch (const std::exception &) {
        try {
            throw;
        } catch (const std::logic_error &) {
            return 2;
        }
    } catch (int n) {
        return n;
    } catch (...) {
        return -1;
    }
    return -2;
}

int main()
{
    int results[5];
    std::thread t([&] {
        for (int i = 0; i < 5; ++i)
            results[i] = attempt(i);
    });
    t.join();
    assert(results[0] == 16 && results[1] == 42 && results[2] == 2 && results[3] == -1 && results[4] == 0);
    assert(alive == 0);
    std::exception_ptr saved;
    try {
        throw MyError("kept", 5);
    } catch (...) {
        saved = std::current_exception();
    }
    int code = 0;
    try {
        std::rethrow_exception(saved);
    } catch (MyError &e) {
        code = e.code;
    }
    assert(code == 5);
}
