#include <algorithm>
#include <deque>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <array>
#include <bitset>
#include <iomanip>
#include <stack>
#include <functional>
#include <iterator>
using namespace std;
struct Shape { virtual ~Shape() = default; virtual double area() const = 0; virtual string name() const { return "shape"; } };
struct Sq : Shape { double a; explicit Sq(double a) : a(a) {} double area() const override { return a * a; } string name() const override { return "sq"; } };
struct Ci : Shape { double r; explicit Ci(double r) : r(r) {} double area() const override { return 3.0 * r * r; } };
template <class T> T add(T a, T b) { return a + b; }
optional<int> parse(string_view s) { int v = 0; for (char c : s) { if (c < '0' || c > '9') return nullopt; v = v * 10 + (c - '0'); } return v; }
int main() {
    map<string, int> m; for (auto s : {"b", "a", "c", "a"}) m[s]++;
    for (auto &[k, v] : m) cout << k << '=' << v << ' ';
    cout << '\n';
    unordered_map<string, vector<int>> um; um["x"].push_back(1); um["y"] = {1, 2, 3}; for (int i = 0; i < 40; i++) um[to_string(i)].push_back(i);
    cout << um.size() << ' ' << um["y"].size() << ' ' << um.count("zz") << '\n';
    set<int> s{3, 1, 2}; s.erase(2); cout << *s.begin() << *s.rbegin() << '\n';
    deque<int> d; for (int i = 0; i < 200; i++) { d.push_back(i); d.push_front(-i); } cout << accumulate(d.begin(), d.end(), 0) << ' ' << d.size() << '\n';
    list<string> l{"x", "yy", "zzz"}; l.sort([](auto &a, auto &b) { return a.size() > b.size(); }); cout << l.front() << '\n';
    priority_queue<int, vector<int>, greater<int>> pq; for (int x : {5, 1, 4}) pq.push(x); cout << pq.top() << '\n';
    stringstream ss; ss << "n=" << 42 << " pi=" << fixed << setprecision(3) << 3.14159 << hex << ' ' << 255 << setw(6) << setfill('.') << 7; cout << ss.str() << '\n';
    istringstream in("10 20 word 3.5"); int a, b; string w; double f; in >> a >> b >> w >> f; cout << a + b << w << f << '\n';
    vector<unique_ptr<Shape>> v; v.push_back(make_unique<Sq>(2)); v.push_back(make_unique<Ci>(1)); for (auto &p : v) cout << p->name() << p->area() << (dynamic_cast<Sq *>(p.get()) ? "!" : "?") << ' '; cout << '\n';
    variant<int, string, double> var = string("s"); visit([](auto &&x) { cout << x << '\n'; }, var); var = 2.5; cout << get<double>(var) << holds_alternative<int>(var) << '\n';
    cout << parse("123").value_or(-1) << parse("1x").value_or(-1) << '\n';
    try { cout << get<int>(var); } catch (const bad_variant_access &e) { cout << "bva " << e.what() << '\n'; }
    try { vector<int>(3).at(7); } catch (const out_of_range &e) { cout << e.what() << '\n'; }
    try { cout << stoi("abc"); } catch (const invalid_argument &e) { cout << e.what() << '\n'; }
    vector<int> x(10); iota(x.begin(), x.end(), 0); reverse(x.begin(), x.end()); sort(x.begin(), x.end(), [](int p, int q) { return p % 3 != q % 3 ? p % 3 < q % 3 : p < q; });
    copy(x.begin(), x.end(), ostream_iterator<int>(cout, ",")); cout << '\n';
    transform(x.begin(), x.end(), x.begin(), [](int i) { return i * i; }); cout << *max_element(x.begin(), x.end()) << count_if(x.begin(), x.end(), [](int i) { return i % 2; }) << '\n';
    string str = "Hello, World"; str.replace(0, 5, "HELLO"); cout << str << str.find("World") << str.substr(7) << (str < "I") << '\n';
    auto [p, q] = make_tuple(1, 2.5); cout << add(p, 2) << add(q, 1.0) << add<string>("a", "b") << '\n';
    array<int, 3> arr{1, 2, 3}; bitset<8> bs(5); cout << arr.size() << bs << bs.count() << '\n';
    stack<char> st; for (char c : string("abc")) st.push(c); while (!st.empty()) { cout << st.top(); st.pop(); } cout << endl;
    function<int(int)> fib = [&](int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }; cout << fib(10) << '\n';
    cout << boolalpha << true << ' ' << 1e10 << ' ' << 0.1f << ' ' << -5 << ' ' << (void *)nullptr << ' ' << 'c' << ' ' << 12345678901LL << '\n';
    unordered_set<int> us{1, 2, 3}; us.insert(2); cout << us.size() << '\n';
    getline(in, w); string line; istringstream lines("a b\nc d\n"); int nl = 0; while (getline(lines, line)) nl++; cout << nl << '\n';
    printf("%s\n", string(3, 'z').c_str());
}
