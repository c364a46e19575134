//! Programs mean the same after lowering as when clang compiles them: what they emit is compared.

mod support;

use support::{compile, eval, native, unsupported};

/// The emitted numbers of both, which must be equal and as many as `at_least`.
fn check(text: &str, at_least: usize) {
    check_file("program.c", &format!("void emit(unsigned long long);\n{text}"), at_least);
}

fn check_file(name: &str, text: &str, at_least: usize) {
    let module = compile(name, text);
    assert_eq!(unsupported(&module), Vec::<String>::new());
    let expected = native(name, text, &["-O0"]);
    assert!(expected.len() >= at_least, "{} numbers", expected.len());
    assert_eq!(eval::run(&module), expected);
}

#[test]
fn phi_cycles() {
    check(
        "int rotate(int n) { int a = 1, b = 2, c = 3; for (int i = 0; i < n; i++) { int t = a; a = b; b = c; c = t; }
                             return a * 100 + b * 10 + c; }
         int swap(int n) { int x = 1, y = 2; while (n--) { int t = x; x = y; y = t; } return x * 10 + y; }
         int fib(int n) { int a = 0, b = 1; for (; n > 0; n--) { int t = a + b; a = b; b = t; } return a; }
         int main(void) { for (int i = 0; i < 7; i++) { emit(rotate(i)); emit(swap(i)); emit(fib(i)); } }",
        21,
    );
}

#[test]
fn integers_of_many_widths() {
    check(
        "typedef unsigned long long u; typedef unsigned _BitInt(17) b17; typedef _BitInt(70) b70;
         int main(void) {
           signed char c = -100; unsigned char d = 200; short s = -3; int i = -7; unsigned v = 4000000000u; long l = -5;
           volatile int three = 3; int k = three;
           emit((u)(c + d)); emit((u)(s * i)); emit(v / k); emit((u)(i / k)); emit((u)(i % k)); emit(v % k);
           emit((u)(l >> 1)); emit((u)i >> 60); emit(v >> 3); emit((u)(i << 2)); emit(c < d); emit((unsigned)i > v);
           b17 x = 100000; x = x * 3; emit(x); b70 y = 1; y <<= 65; y -= 7; emit((u)(y >> 60)); emit((u)y);
           __int128 w = -1; w = w * 12345678901234567LL * 1000000007LL; emit((u)w); emit((u)(w >> 64));
           unsigned __int128 z = (unsigned __int128)v << 90; emit((u)(z >> 64)); emit((u)(z / 7)); emit((u)(z % 1000));
           emit(w < 0); emit(z > 5); emit((u)(w == -w)); _Bool t = v; emit(t); emit(!t);
         }",
        25,
    );
}

#[test]
fn switches() {
    check(
        "int f(long x) { switch (x) { case -1: return 1; case 5 ... 7: return 2; case 1L << 40: return 3; case 0: x++;
                                     case 2: return (int)x + 10; default: return 9; } }
         int g(__int128 x) { switch (x) { case 1: return 1; case ((__int128)1 << 100): return 2; default: return 3; } }
         int main(void) { long v[] = {-1, 0, 1, 2, 5, 6, 7, 8, 1L << 40}; for (int i = 0; i < 9; i++) emit(f(v[i]));
                          emit(g(1)); emit(g((__int128)1 << 100)); emit(g(7)); }",
        12,
    );
}

#[test]
fn floating_point() {
    check(
        "typedef unsigned long long u; double half(double x) { return x / 2; }
         static u bits(double d) { u b; __builtin_memcpy(&b, &d, 8); return b; }
         static u fbits(float f) { unsigned b; __builtin_memcpy(&b, &f, 4); return b; }
         int classes(double d) { return __builtin_isnan(d) | __builtin_isinf(d) << 1 | __builtin_isfinite(d) << 2
                                      | __builtin_isnormal(d) << 3 | __builtin_signbit(d) << 4; }
         int fclasses(float d) { return __builtin_isnan(d) | (__builtin_isinf(d) != 0) << 1 | __builtin_isfinite(d) << 2
                                      | __builtin_isnormal(d) << 3; }
         int main(void) {
           volatile double vz = 0; double z = vz, nan = __builtin_nan(\"\"), inf = 1 / z;
           double all[] = {0, -0.0, 1, -2.5, 4.9e-324, -1e-310, inf, -inf, nan, 1e300};
           for (int i = 0; i < 10; i++) { emit(classes(all[i])); emit(fclasses((float)all[i])); emit(all[i] < 1);
             emit(all[i] != all[i]); emit(all[i] >= 0); emit(__builtin_isless(all[i], 2)); }
           emit(bits(half(3))); emit(fbits(1.5f * 3 - 1)); emit((int)-3.9); emit((u)3e9); emit(bits(-7 + 0.25));
           emit(fbits((float)16777217)); emit(bits(__builtin_fabs(-2.5)));
           float a = 3, b = 4, c = 5; emit(fbits(a * b + c)); emit(bits((long)1 << 60)); emit(bits((u)-1));
         }",
        70,
    );
}

#[test]
fn structs_arrays_and_calls() {
    check(
        "typedef unsigned long long u; struct s { char c; short h; int i[3]; struct { long l; float f; } in; };
         struct small { int x; float y; }; struct big { long a[5]; }; struct pair { long a, b; }; struct mix { double d; int i; };
         struct small inc(struct small s) { s.x++; s.y *= 2; return s; }
         struct big twist(struct big b, struct small s, int k) { b.a[k] += s.x; return b; }
         struct pair flip(struct pair p) { struct pair q = {p.b, p.a}; return q; }
         struct mix mixed(struct mix m, struct pair p) { m.d += p.a; m.i -= p.b; return m; }
         struct s global = {1, 2, {3, 4, 5}, {6, 7.5f}}; int matrix[3][4]; int *inside = &matrix[1][2];
         struct bits { unsigned a : 3; int b : 7; unsigned long long c : 40; } field; union u { int i; char c[8]; float f; } both;
         long (*table[2])(long); long twice(long x) { return 2 * x; } long square(long x) { return x * x; }
         const char *names[] = {\"alpha\", \"beta\"};
         int main(void) {
           struct small s = {1, 2.5f}; s = inc(inc(s)); emit(s.x); emit((u)(s.y * 4));
           struct big b = {{1, 2, 3, 4, 5}}; for (int i = 0; i < 5; i++) b = twist(b, s, i); emit(b.a[0] + b.a[4] * 100);
           struct pair p = flip((struct pair){8, 9}); emit(p.a); emit(p.b);
           struct mix m = mixed((struct mix){1.5, 40}, p); emit((u)m.d); emit(m.i);
           for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) matrix[i][j] = i * 10 + j; emit(*inside); emit(inside[-1]);
           struct s copy = global; copy.i[1] = 44; copy.in.l++; emit(copy.i[1] + global.i[1] + copy.in.l + (u)copy.in.f + copy.h);
           field.a = 9; field.b = -5; field.c = 1ULL << 39 | 3; emit(field.a); emit((u)(long long)field.b); emit(field.c);
           both.f = 1; emit(both.i); emit(both.c[3]); table[0] = twice; table[1] = square; emit(table[1](7) + table[0](3));
           emit(names[1][2]); int n = 4, vla[n]; for (int i = 0; i < n; i++) vla[i] = i * i; emit(vla[n - 1]);
           __builtin_memset(matrix[1], 1, sizeof matrix[1]); emit(matrix[1][3]);
         }",
        19,
    );
}

#[test]
fn vectors() {
    check(
        "typedef unsigned long long u; typedef int v4 __attribute__((vector_size(16))); typedef float f4 __attribute__((vector_size(16)));
         typedef short v8 __attribute__((vector_size(16))); typedef long v2 __attribute__((vector_size(16)));
         v4 mixed(v4 a, v4 b, int i) { v4 c = a * b - a; c[i] = 70; return (c & (a < b)) | (b & ~(a < b)); }
         int main(void) {
           v4 a = {1, 2, 3, 4}, b = {4, 3, 2, 1}; volatile int vi = 2; int k = vi;
           for (int i = 0; i < 4; i++) { v4 c = mixed(a, b, i); for (int j = 0; j < 4; j++) emit(c[j]); }
           v4 s = __builtin_shufflevector(a, b, 3, 4, -1, 0); emit(s[0]); emit(s[1]); emit(s[3]); emit(a[k]);
           v8 h = (v8)a; h[1] = 5; a = (v4)h; for (int j = 0; j < 4; j++) emit(a[j]); v2 l = (v2)b; emit(l[0]); emit(l[1]);
           f4 f = __builtin_convertvector(b, f4); f = f * 1.5f; emit((u)f[0]); emit((u)f[3]); emit(__builtin_reduce_add(b));
           emit(__builtin_reduce_max(b)); v4 sh = b << 2; emit(sh[1]); v4 e = __builtin_elementwise_max(a, b); emit(e[3]);
           __int128 w; __builtin_memcpy(&w, &b, 16); v4 back; __builtin_memcpy(&back, &w, 16); emit((u)(w >> 32)); emit(back[2]);
         }",
        34,
    );
}

#[test]
fn intrinsics() {
    check(
        "typedef unsigned long long u;
         int main(void) {
           volatile unsigned vx = 0x1234f0f0; unsigned x = vx; u y = (u)x << 20 | 7; int r; unsigned q; short h;
           emit(__builtin_popcount(x)); emit(__builtin_clz(x)); emit(__builtin_ctzll(y)); emit(__builtin_bswap32(x));
           emit(__builtin_bswap64(y)); emit(__builtin_bitreverse32(x)); emit(__builtin_rotateleft32(x, 5)); emit(__builtin_abs(-(int)x));
           emit(__builtin_add_overflow((int)x, 2000000000, &r)); emit((unsigned)r); emit(__builtin_mul_overflow(x, 16u, &q)); emit(q);
           emit(__builtin_sub_overflow(x, x + 1, &q)); emit(q); emit(__builtin_add_overflow(30000, 3000, &h)); emit((unsigned short)h);
           emit(__builtin_expect(x > 5, 1)); emit(__builtin_constant_p(3)); emit(__builtin_parity(x)); emit(__builtin_ffs(x));
         }",
        20,
    );
}

#[test]
fn variable_arguments_and_gotos() {
    check(
        "#include <stdarg.h>
         long total(int n, ...) { va_list l, m; va_start(l, n); va_copy(m, l); long t = 0;
           for (int i = 0; i < n; i++) t += va_arg(l, int); double d = va_arg(l, double); int again = va_arg(m, int);
           va_end(m); va_end(l); return t * 100 + (long)(d * 10) + again; }
         int walk(const int *ops) { static void *to[] = {&&add, &&dbl, &&end}; int acc = 1; goto *to[*ops];
           add: acc += 3; goto *to[*++ops]; dbl: acc *= 2; goto *to[*++ops]; end: return acc; }
         _Thread_local int counter = 5; static _Thread_local struct { int a, b; } pair = {1, 2};
         _Atomic int a; _Atomic long b = 7; _Atomic double d = 1.5;
         int main(void) { emit(total(3, 1, 2, 3, 2.5)); int ops[] = {0, 1, 1, 0, 2}; emit(walk(ops));
           counter += 2; pair.b += counter; emit(counter); emit(pair.b); a += 3; a++; emit(a); int e = 4;
           emit(__c11_atomic_compare_exchange_strong(&a, &e, 9, 5, 5)); emit(a); emit(__c11_atomic_exchange(&b, 8, 5)); emit(b | 16);
           d += 2; emit((int)(d * 2)); emit(__c11_atomic_compare_exchange_weak(&a, &e, 1, 5, 0)); emit(e); }",
        12,
    );
}

#[test]
fn containers_and_algorithms() {
    check_file(
        "program.cpp",
        "#include <algorithm>
         #include <array>
         #include <functional>
         #include <memory>
         #include <numeric>
         #include <string>
         #include <tuple>
         #include <vector>
         extern \"C\" void emit(unsigned long long);
         struct Shape { virtual ~Shape() = default; virtual int area() const = 0; };
         struct Square : Shape { int s; explicit Square(int s) : s(s) {} int area() const override { return s * s; } };
         struct Both : Square { std::string name; Both(int s, std::string n) : Square(s), name(std::move(n)) {} int area() const override { return -(int)name.size(); } };
         template <class F> int apply(F f, int n) { int t = 0; for (int i = 0; i < n; i++) t += f(i); return t; }
         std::vector<int> global{5, 3, 9, 1};
         int main() {
           std::vector<int> v; for (int i = 0; i < 40; i++) v.push_back((i * 37) % 41); std::sort(v.begin(), v.end());
           for (int x : v) emit(x); emit(std::accumulate(v.begin(), v.end(), 0)); emit(std::lower_bound(v.begin(), v.end(), 20) - v.begin());
           std::string s = \"race\"; s += \"proof\"; s.insert(4, \"-\"); emit(s.size()); for (char c : s) emit(c); emit(s.find(\"pro\")); emit(s == \"race-proof\");
           std::string t(100, 'x'); t = s + t; emit(t.size()); emit(t < s); std::vector<std::string> names{\"b\", \"a\", t}; std::sort(names.begin(), names.end()); emit(names[0][0]);
           std::vector<std::unique_ptr<Shape>> shapes; shapes.emplace_back(new Square(3)); shapes.push_back(std::make_unique<Both>(4, \"four\"));
           for (auto &p : shapes) emit((unsigned)p->area()); int k = 3; emit(apply([&](int i) { return i * k; }, 5)); std::function<int(int)> f = [k](int x) { return x - k; }; emit(f(10));
           auto shared = std::make_shared<int>(8); auto other = shared; emit(shared.use_count() + *other); auto [a, b] = std::make_tuple(1, 2.5); emit(a + (int)(b * 2));
           std::array<int, 3> arr{1, 2, 3}; emit(arr[1]); std::reverse(global.begin(), global.end()); for (int x : global) emit(x); emit(std::to_string(12345).size());
         }",
        70,
    );
}
