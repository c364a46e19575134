#include <any>
#include <chrono>
#include <compare>
#include <cstdio>
#include <exception>
#include <iomanip>
#include <iostream>
#include <memory>
#include <random>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>
#include <algorithm>
#include <numeric>
#include <charconv>
#include <map>
struct Trace { const char *n; explicit Trace(const char *n) : n(n) { std::cout << '+' << n; } ~Trace() { std::cout << '-' << n; } };
static Trace global("global");
struct A { virtual ~A() = default; virtual int id() const { return 1; } int a = 10; };
struct B : virtual A { int id() const override { return 2; } int b = 20; };
struct C : virtual A { int c = 30; };
struct D final : B, C { int id() const override { return B::id() + 40; } int d = a + b + c; };
template <class T, int N> struct Ring { T v[N]{}; int at = 0; void push(T x) { v[at++ % N] = std::move(x); } T sum() const { T s{}; for (auto &x : v) s += x; return s; } };
template <class... T> auto total(T... x) { return (x + ... + 0); }
struct Version { int major, minor; auto operator<=>(const Version &) const = default; };
struct Error : std::runtime_error { int code; Error(int c) : std::runtime_error("code " + std::to_string(c)), code(c) {} };
static int depth(int n) { Trace t("d"); if (n == 0) throw Error(5); return depth(n - 1); }
static int guarded() try { return depth(2); } catch (const std::logic_error &) { return -1; }
struct Move { std::unique_ptr<int> p; Move(int x) : p(new int(x)) {} Move(Move &&) noexcept = default; Move &operator=(Move &&) = default; };
static constexpr int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
struct Counted { static inline int live = 0; Counted() { ++live; } Counted(const Counted &) { ++live; } ~Counted() { --live; } };
std::ostream &operator<<(std::ostream &o, const Version &v) { return o << v.major << '.' << v.minor; }
int main() {
    std::cout << std::endl;
    { D d; A &a = d; C *c = &d; std::cout << a.id() << d.d << (dynamic_cast<B *>(c) != nullptr) << (typeid(a) == typeid(D)) << '\n'; }
    Ring<std::string, 2> r; r.push("x"); r.push("y"); r.push("z"); std::cout << r.sum() << total(1, 2, 3) << '\n';
    std::cout << (Version{1, 2} < Version{1, 10}) << Version{3, 4} << '\n';
    try { guarded(); } catch (const Error &e) { std::cout << ' ' << e.what() << e.code << '\n'; }
    try { try { throw std::out_of_range("inner"); } catch (...) { std::throw_with_nested(std::runtime_error("outer")); } } catch (const std::exception &e) { std::cout << e.what(); try { std::rethrow_if_nested(e); } catch (const std::exception &i) { std::cout << '/' << i.what() << '\n'; } }
    try { throw 42; } catch (long) { std::cout << "long"; } catch (int i) { std::cout << "int" << i << '\n'; }
    try { int *p = nullptr; throw p; } catch (void *q) { std::cout << "pointer" << (q == nullptr) << '\n'; }
    std::vector<Move> moves; for (int i = 0; i < 5; i++) moves.emplace_back(i); moves.erase(moves.begin() + 1); std::cout << *moves[1].p << moves.size() << '\n';
    { std::vector<Counted> v(3); auto w = v; std::cout << Counted::live; } std::cout << Counted::live << fact(10) << '\n';
    std::any any = 5; any = std::string("any"); std::cout << std::any_cast<std::string>(any) << any.has_value(); try { std::any_cast<int>(any); } catch (const std::bad_any_cast &) { std::cout << "bad\n"; }
    std::mt19937 rng(7); std::cout << rng() << ' ' << rng() << ' ' << std::uniform_int_distribution<int>(1, 100)(rng) << '\n';
    std::vector<int> v(20); std::iota(v.begin(), v.end(), 1); std::shuffle(v.begin(), v.end(), rng); for (int x : v) std::cout << x << ' '; std::cout << '\n';
    for (int x : v | std::views::filter([](int x) { return x % 5 == 0; }) | std::views::transform([](int x) { return x * x; })) std::cout << x << ','; std::cout << '\n';
    std::span<int> sp(v.data(), 3); std::cout << sp.size() << std::ranges::max(v) << '\n';
    std::cout << std::setw(8) << std::left << "ab" << '|' << std::right << std::setw(8) << 3.14159 << '|' << std::scientific << 12345.678 << std::defaultfloat << ' ' << std::showpos << 5 << std::noshowpos << ' ' << std::oct << 64 << std::dec << ' ' << std::uppercase << std::hex << std::showbase << 255 << std::dec << '\n';
    char buffer[32]; auto [end, ec] = std::to_chars(buffer, buffer + 32, 123456); *end = 0; int parsed = 0; std::from_chars("77x", "77x" + 3, parsed); std::cout << buffer << parsed << '\n';
    using namespace std::chrono_literals; std::cout << std::chrono::duration_cast<std::chrono::seconds>(2min + 1500ms).count() << '\n';
    std::multimap<int, char> mm{{1, 'a'}, {1, 'b'}, {0, 'c'}}; for (auto [k, c] : mm) std::cout << k << c; auto range = mm.equal_range(1); std::cout << std::distance(range.first, range.second) << '\n';
    auto shared = std::make_shared<int>(3); std::weak_ptr<int> weak = shared; std::cout << shared.use_count() << weak.expired(); shared.reset(); std::cout << weak.expired() << '\n';
    std::string text = "the cat sat"; for (size_t at = 0; (at = text.find("at", at)) != std::string::npos; at += 2) text.insert(at, "-"), ++at; std::cout << text << text.compare("x") << std::stod("2.5e1") << '\n';
    auto counter = [n = 0]() mutable { return ++n; }; counter(); std::cout << counter() << '\n';
    static Trace local("local"); std::puts("end"); return 3;
}
