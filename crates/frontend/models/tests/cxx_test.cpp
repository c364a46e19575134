// cxx_test.cpp: a program over the C++ library that prints what it sees. It is built twice, with the real libstdc++ and with
// the models, and must print the same.
#include <algorithm>
#include <any>
#include <atomic>
#include <barrier>
#include <bitset>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <iomanip>
#include <iostream>
#include <latch>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <semaphore>
#include <set>
#include <shared_mutex>
#include <sstream>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>
using namespace std;
using namespace std::chrono_literals;

static unsigned seed = 1;
static unsigned next_random() { return seed = seed * 1103515245 + 12345, seed >> 16; }

static void trees() {
    map<int, int> m;
    multiset<int> s;
    for (int i = 0; i < 3000; i++) {
        int key = next_random() % 200;
        if (next_random() % 3) m[key] = i, s.insert(key);
        else m.erase(key), s.erase(key);
        if (i % 500 == 0) {
            long sum = 0;
            for (auto it = m.rbegin(); it != m.rend(); ++it) sum = sum * 31 + it->first;
            for (int v : s) sum = sum * 31 + v;
            cout << m.size() << ' ' << s.size() << ' ' << sum << '\n';
        }
    }
    int before = -1;
    bool ordered = true;
    for (auto &[k, v] : m) ordered = ordered && k > before, before = k;
    cout << ordered << ' ' << m.begin()->first << ' ' << prev(m.end())->first << ' ' << (m.lower_bound(50)->first) << '\n';
    auto node = m.extract(m.begin());
    node.key() = 1000;
    m.insert(move(node));
    auto copy = m;
    while (!copy.empty()) copy.erase(copy.begin());
    cout << copy.size() << ' ' << m.rbegin()->first << '\n';
    set<string> names{"c", "a", "b"};
    for (auto it = names.end(); it != names.begin();) cout << *--it;
    cout << '\n';
}
static void tables() {
    unordered_map<string, int> u;
    unordered_set<long> v;
    for (int i = 0; i < 2000; i++) {
        u["key" + to_string(next_random() % 300)] += i;
        v.insert(next_random() % 500);
        if (i % 7 == 0) u.erase("key" + to_string(next_random() % 300));
    }
    map<string, int> sorted(u.begin(), u.end());
    long sum = 0;
    for (auto &[k, n] : sorted) sum = sum * 7 + n + k.size();
    cout << u.size() << ' ' << v.size() << ' ' << sum << ' ' << u.count("key1") << ' ' << (u.load_factor() <= u.max_load_factor()) << '\n';
    u.rehash(5000);
    cout << (u.bucket_count() >= 5000) << u.size() << '\n';
    unordered_multimap<int, int> mm{{1, 2}, {1, 3}, {2, 4}};
    cout << mm.count(1) << hash<string>{}("x") % 1 << '\n';
}
static void sequences() {
    list<int> a{5, 3, 9, 1}, b{8, 2};
    a.sort(), b.sort(), a.merge(b), a.reverse(), a.push_front(7), a.remove(9);
    a.splice(next(a.begin()), list<int>{100, 200});
    list<int> c;
    swap(a, c);
    for (int v : c) cout << v << ' ';
    cout << a.size() << c.size() << '\n';
    deque<int> d;
    for (int i = 0; i < 600; i++) i % 3 ? d.push_back(i) : d.push_front(i);
    cout << accumulate(d.begin(), d.end(), 0L) << ' ' << d.front() << d.back() << '\n';
    vector<int> v(50);
    for (int &x : v) x = next_random() % 100;
    sort(v.begin(), v.end());
    stable_sort(v.begin(), v.end(), greater<>());
    v.erase(unique(v.begin(), v.end()), v.end());
    for (int x : v) cout << x << ',';
    priority_queue<int> q(v.begin(), v.end());
    cout << q.top() << '\n';
    vector<bool> bits(70);
    bits[69] = true, bits.flip();
    cout << count(bits.begin(), bits.end(), true) << bitset<8>(0xA5) << '\n';
    string s = "hello";
    s.insert(2, "XX").append(40, 'y').replace(0, 1, "JJ");
    cout << s << s.find("yy") << s.substr(3, 4) << s.compare("z") / 1000 << (s < "k") << stoi("42x") << stod("2.5e3") << to_string(1.5) << '\n';
    mt19937 g(42);
    uniform_int_distribution<int> dist(1, 6);
    for (int i = 0; i < 10; i++) cout << dist(g);
    normal_distribution<> n;
    cout << n(g) << '\n';
}
template <class T> static void print_all(ostream &os, T v) {
    for (auto base : {ios::dec, ios::hex, ios::oct})
        for (auto adjust : {ios::fmtflags(0), ios::left, ios::right, ios::internal})
            for (auto extra : {ios::fmtflags(0), ios::showbase, ios::showpos, ios::uppercase | ios::showbase})
                for (int width : {0, 3, 12, 30}) {
                    os.flags(base | adjust | extra);
                    os << '[' << setw(width) << setfill('*') << v << ']';
                }
    os.flags(ios::dec);
    os << '\n';
}
template <class T> static void print_floats(ostream &os, T v) {
    for (auto field : {ios::fmtflags(0), ios::fixed, ios::scientific, ios::fixed | ios::scientific})
        for (auto adjust : {ios::fmtflags(0), ios::left, ios::internal})
            for (auto extra : {ios::fmtflags(0), ios::showpoint, ios::showpos, ios::uppercase})
                for (int precision : {0, 2, 6, 17})
                    for (int width : {0, 25}) {
                        os.flags(field | adjust | extra);
                        os << '[' << setw(width) << setfill('_') << setprecision(precision) << v << ']';
                    }
    os.flags(ios::dec);
    os << setprecision(6) << '\n';
}
static void output(ostream &os) {
    for (long v : {0L, 1L, -1L, 42L, -12345L, 2147483647L, LONG_MIN, LONG_MAX}) print_all(os, v);
    print_all(os, -7), print_all(os, short(-300)), print_all(os, 4000000000u), print_all(os, (unsigned short)65535);
    print_all(os, -1ll), print_all(os, ~0ull), print_all(os, true), print_all(os, (void *)0x1234);
    for (double v : {0.0, -0.0, 1.0, -2.5, 0.1, 1e10, 1e-7, 123456.789, 1e100, HUGE_VAL, -HUGE_VAL}) print_floats(os, v);
    print_floats(os, 3.25f);
    print_floats(os, 0.1L * 10);
    os << boolalpha << true << false << setw(8) << true << setw(9) << left << false << '|' << noboolalpha << right << '\n';
    os << setw(6) << "ab" << setw(6) << left << "cd" << 'e' << setw(3) << 'f' << right << string("str") << setw(9) << string_view("view") << nullptr << endl;
    os << hex << 255 << dec << 255 << oct << 8 << dec << quoted("q\"q") << ends << flush << '\n';
    os.put('p').write("write", 5) << '\n';
}
static void input() {
    istringstream in("12 -7 0x1f 3.5e2 word 99999999999 x true 1 inf\nline two\nlast");
    int a, b, c;
    double d;
    string w;
    in >> a >> b >> hex >> c >> dec >> d >> w;
    cout << a << ' ' << b << ' ' << c << ' ' << d << ' ' << w << '\n';
    in >> a;
    cout << a << in.fail() << in.eof() << '\n';
    in.clear();
    char ch;
    bool t, u;
    in >> ch >> boolalpha >> t >> noboolalpha >> u;
    cout << ch << t << u << in.good() << '\n';
    getline(in, w);
    cout << '<' << w << '>';
    char line[20];
    in.getline(line, 20);
    cout << '<' << line << '>' << in.gcount();
    in.ignore(2);
    in >> w;
    cout << w << in.eof() << !in << '\n';
    in >> w;
    cout << in.fail() << '\n';
    stringstream ss;
    ss << 5 << ' ' << 2.25 << " tail";
    short sh;
    float f;
    ss >> sh >> f;
    getline(ss >> ws, w, 'i');
    cout << sh << f << w << ss.str() << '\n';
    istringstream limits("40000 -40000 70000 1e400 5. .5 - +3");
    while (limits) {
        short v;
        limits >> v;
        cout << v << limits.fail() << ' ';
        limits.clear();
        limits.ignore(100, ' ');
        if (limits.peek() == '1') break;
    }
    double x;
    limits >> x;
    cout << x << limits.fail();
    limits.clear();
    limits >> x;
    cout << x;
    limits >> x;
    cout << x;
    limits >> a;
    cout << limits.fail() << a << '\n';
    ostringstream os;
    output(os);
    string all = os.str();
    cout << all.size() << ' ' << accumulate(all.begin(), all.end(), 0l) << '\n' << all;
}
struct A { virtual ~A() {} int a = 1; };
struct B : A { int b = 2; };
struct C : virtual A { int c = 3; };
struct D : virtual A { int d = 4; };
struct E : C, D { int e = 5; };
struct F : B, private D { int f = 6; };
struct Left : A {};
struct Right : A {};
struct Both : Left, Right {};
static void casts() {
    A *a = new B;
    cout << (dynamic_cast<B *>(a) != nullptr) << (dynamic_cast<C *>(a) == nullptr);
    E e;
    A *ea = &e;
    cout << (dynamic_cast<E *>(ea) == &e) << (dynamic_cast<C *>(ea) == static_cast<C *>(&e)) << (dynamic_cast<D *>(dynamic_cast<C *>(ea)) == static_cast<D *>(&e)) << (dynamic_cast<void *>(static_cast<D *>(&e)) == &e);
    F f;
    A *fa = static_cast<B *>(&f);
    cout << (dynamic_cast<D *>(fa) == nullptr) << (dynamic_cast<F *>(fa) == &f);
    Both both;
    A *left = static_cast<Left *>(&both);
    cout << (dynamic_cast<Both *>(left) == &both) << (dynamic_cast<Right *>(left) == static_cast<Right *>(&both));
    try {
        (void)dynamic_cast<E &>(*a);
    } catch (const bad_cast &x) {
        cout << x.what();
    }
    cout << (typeid(*a) == typeid(B)) << typeid(int).name() << typeid(*ea).name() << '\n';
    delete a;
}
template <class T> static void thrower(function<void()> f) {
    try {
        f();
    } catch (const T &e) {
        cout << e.what() << '\n';
    }
}
static void errors() {
    thrower<out_of_range>([] { vector<int>(3).at(7); });
    thrower<logic_error>([] { string("abc").substr(9); });
    thrower<exception>([] { throw runtime_error("plain"); });
    thrower<length_error>([] { vector<int> v; v.reserve(size_t(-1) / 2); });
    thrower<bad_function_call>([] { function<void()>()(); });
    thrower<bad_optional_access>([] { optional<int>().value(); });
    thrower<bad_variant_access>([] { get<int>(variant<int, string>("x")); });
    thrower<bad_any_cast>([] { any_cast<int>(any(1.5)); });
    thrower<bad_weak_ptr>([] { shared_ptr<int>(weak_ptr<int>()); });
    thrower<invalid_argument>([] { stoi("zz"); });
    thrower<out_of_range>([] { stoi("99999999999999"); });
    thrower<bad_alloc>([] { size_t n = size_t(-1) / 2 + 5; delete[] new char[n]; });
    thrower<system_error>([] { throw system_error(make_error_code(errc::invalid_argument), "why"); });
    thrower<system_error>([] { thread().join(); });
    thrower<future_error>([] { promise<int> p; p.get_future(); p.get_future(); });
    thrower<future_error>([] { future<int> f; { promise<int> p; f = p.get_future(); } f.get(); });
    thrower<ios_base::failure>([] { istringstream in; in.exceptions(ios::eofbit); in.get(); });
    error_code e = make_error_code(errc::no_such_file_or_directory);
    cout << e << ' ' << e.message() << ' ' << (e == errc::no_such_file_or_directory) << error_code(2, system_category()).default_error_condition().category().name() << future_category().name() << '\n';
    try {
        try {
            throw domain_error("inner");
        } catch (...) {
            throw_with_nested(overflow_error("outer"));
        }
    } catch (const exception &x) {
        cout << x.what();
        try {
            rethrow_if_nested(x);
        } catch (const logic_error &y) {
            cout << y.what() << '\n';
        }
    }
    logic_error one("one"), two(one);
    one = logic_error("three");
    cout << one.what() << two.what() << '\n';
}
static void threads() {
    mutex m;
    int n = 0;
    vector<thread> ts;
    for (int i = 0; i < 4; i++) ts.emplace_back([&] { for (int k = 0; k < 100; k++) { lock_guard g(m); n++; } });
    for (auto &t : ts) t.join();
    condition_variable cv;
    bool ready = false;
    thread waiter([&] { unique_lock l(m); cv.wait(l, [&] { return ready; }); n++; });
    { lock_guard g(m); ready = true; }
    cv.notify_all();
    waiter.join();
    auto f = async(launch::async, [] { return 20; });
    auto lazy = async(launch::deferred, [] { return 21; });
    promise<string> p;
    thread setter([&] { p.set_value("set"); });
    auto failing = async(launch::async, []() -> int { throw runtime_error("from a task"); });
    packaged_task<int(int)> task([](int v) { return v * 2; });
    auto tf = task.get_future();
    thread runner(move(task), 21);
    cout << n << ' ' << f.get() << lazy.get() << p.get_future().get() << tf.get();
    setter.join(), runner.join();
    try { failing.get(); } catch (const exception &e) { cout << e.what(); }
    promise<int> late;
    auto lf = late.get_future();
    thread exiting([&] { late.set_value_at_thread_exit(5); });
    cout << lf.get() << '\n';
    exiting.join();
    once_flag once;
    atomic<int> runs = 0, tries = 0;
    auto body = [&] { call_once(once, [&] { if (tries++ == 0) throw 1; runs++; }); };
    try { body(); } catch (int) {}
    thread o1(body), o2(body);
    o1.join(), o2.join();
    latch l(2);
    barrier b(2);
    counting_semaphore<4> sem(0);
    thread lt([&] { l.count_down(); b.arrive_and_wait(); sem.release(2); });
    l.arrive_and_wait(), b.arrive_and_wait(), sem.acquire(), sem.acquire();
    lt.join();
    atomic<int> word = 0;
    thread wt([&] { word.wait(0); word = 2; word.notify_all(); });
    word = 1;
    word.notify_one();
    word.wait(1);
    wt.join();
    jthread jt([](stop_token st) { while (!st.stop_requested()) this_thread::yield(); });
    jt.request_stop();
    shared_ptr<int> sp = make_shared<int>(3);
    atomic_store(&sp, make_shared<int>(4));
    atomic<shared_ptr<int>> asp(sp);
    cout << runs << word << *atomic_load(&sp) << *asp.load() << sp.use_count() << '\n';
    shared_mutex sm;
    shared_lock s1(sm), s2(sm);
    timed_mutex tm;
    bool got = unique_lock(tm, 5ms).owns_lock();
    static thread_local struct T { ~T() { count++; } static atomic<int> &counter() { static atomic<int> c; return c; } atomic<int> &count = counter(); } tls;
    thread([] { (void)&tls; }).join();
    condition_variable exit_cv;
    bool exited = false;
    thread ne([&] { unique_lock l(m); exited = true; notify_all_at_thread_exit(exit_cv, move(l)); });
    { unique_lock l(m); exit_cv.wait(l, [&] { return exited; }); }
    ne.join();
    promise<int> never;
    cout << got << T::counter() << (never.get_future().wait_for(1ms) == future_status::timeout) << (sem.try_acquire_for(1ms)) << '\n';
    this_thread::sleep_for(1us);
}
int main() {
    trees();
    tables();
    sequences();
    output(cout);
    input();
    casts();
    errors();
    threads();
    cerr << "";
    clog << "";
    cout << "done" << endl;
}
