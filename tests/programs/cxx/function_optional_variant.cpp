//@ verdict: race-free
//@ about: std::function, std::bind, optional, variant with visit, any, pair, chrono
#include <any>
#include <cassert>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

static std::optional<int> parse(const std::string &s)
{
    if (s.empty() || s[0] < '0' || s[0] > '9')
        return std::nullopt;
    return s[0] - '0';
}

int main()
{
    std::vector<std::function<int(int)>> steps;
    int offset = 10;
    steps.push_back([offset](int x) { return x + offset; });
    steps.push_back(std::bind([](int a, int b) { return a * b; }, std::placeholders::_1, 3));
    steps.emplace_back(std::negate<int>());
    int x = 1, y = 2;
    std::thread t([&] {
        for (const auto &f : steps)
            x = f(x);
    });
    for (const auto &f : steps)
        y = f(y);
    t.join();
    assert(x == -33 && y == -36);
    std::function<void()> empty;
    assert(!empty);

    assert(parse("7").value() == 7 && !parse("x") && parse("").value_or(-1) == -1);
    std::variant<int, std::string, double> v = "text";
    assert(v.index() == 1 && std::get<std::string>(v) == "text" && !std::get_if<int>(&v));
    v = 2.5;
    double d = std::visit(
        [](auto &&value) -> double {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>)
                return -1;
            else
                return value * 2;
        },
        v);
    assert(d == 5.0);
    std::any a = 5;
    assert(std::any_cast<int>(a) == 5 && !std::any_cast<double>(&a));
    std::pair<int, char> p{1, 'c'};
    std::swap(p.first, x);
    assert(p.first == -33 && p.second == 'c');
    using namespace std::chrono;
    assert(duration_cast<milliseconds>(2s + 5ms).count() == 2005 && minutes(2) == seconds(120));
}
