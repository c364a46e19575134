//@ verdict: race-free
//@ about: templates: specialisation, variadic packs, folds, if constexpr, non-type parameters, CRTP
#include <array>
#include <cassert>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>

template <typename... Ts> auto sum(Ts... values) { return (values + ... + 0); }

template <typename T> std::string describe(const T &value)
{
    if constexpr (std::is_integral_v<T>)
        return "int " + std::to_string(value);
    else if constexpr (std::is_pointer_v<T>)
        return "pointer";
    else
        return "other";
}

template <int N> struct Factorial {
    static constexpr int value = N * Factorial<N - 1>::value;
};
template <> struct Factorial<0> {
    static constexpr int value = 1;
};

template <typename Derived> struct Comparable {
    bool operator>(const Derived &other) const { return other < static_cast<const Derived &>(*this); }
};
struct Version : Comparable<Version> {
    int major, minor;
    Version(int a, int b) : major(a), minor(b) {}
    bool operator<(const Version &o) const { return std::tie(major, minor) < std::tie(o.major, o.minor); }
};

template <typename F, std::size_t... I> void run_all(F f, std::index_sequence<I...>)
{
    std::array<std::thread, sizeof...(I)> threads{std::thread(f, static_cast<int>(I))...};
    for (auto &t : threads)
        t.join();
}

int main()
{
    assert(sum() == 0 && sum(1, 2, 3) == 6 && sum(1.5, 2) == 3.5);
    int x = 3;
    assert(describe(x) == "int 3" && describe(&x) == "pointer" && describe(2.5) == "other");
    static_assert(Factorial<5>::value == 120);
    assert(Version(2, 1) > Version(1, 9));
    std::array<int, 2> out{};
    run_all([&](int i) { out[static_cast<std::size_t>(i)] = 10 * (i + 1); }, std::make_index_sequence<2>{});
    auto [first, second] = out;
    assert(first == 10 && second == 20);
    auto t = std::make_tuple(1, std::string("two"), 3.0);
    assert(std::get<1>(t) == "two" && std::apply([](auto a, auto, auto c) { return a + c; }, t) == 4.0);
}
