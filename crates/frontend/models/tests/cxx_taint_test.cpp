// cxx_taint_test.cpp: printing a value to cout, and reading one from cin, must not branch on it (cxx_locale.cpp). Built with
// MemorySanitizer, like taint_test.c.
#include "../rp.h"
#include <chrono>
#include <iomanip>
#include <iostream>
#include <random>
#include <sanitizer/msan_interface.h>
#include <string.h>
#include <unistd.h>

extern "C" {
void __rp_output(int, const void *, size_t) {}
void __rp_havoc(void *p, size_t n) {
    memset(p, 0x5A, n);
    __msan_poison(p, n);
}
int __rp_format_float(char *out, size_t, const long double *, int, int, int) {
    int n = 4;
    memcpy(out, "1.50", 4);
    __msan_poison(out, 4);
    __msan_poison(&n, sizeof n);
    return n;
}
}

int main(int argc, char **) {
    int i;
    long l;
    unsigned long long u;
    double d = 1.5;
    bool b = true;
    std::cin >> i >> l >> u;
    __msan_poison(&d, sizeof d);
    unsigned char bit = 1;
    __msan_poison(&bit, 1);
    memcpy(&b, &bit, 1);
    for (auto flags : {std::ios::dec, std::ios::hex | std::ios::showbase, std::ios::oct | std::ios::showbase | std::ios::left,
                       std::ios::dec | std::ios::showpos | std::ios::internal | std::ios::fixed})
        for (int width : {0, 5, 40}) {
            std::cout.flags(flags);
            std::cout << std::setw(width) << i << std::setw(width) << l << std::setw(width) << u << std::setw(width) << d << '\n';
        }
    std::cout << std::boolalpha << b << short(i) << (void *)u << (char)i << std::endl;
    double x;
    float f;
    short s;
    std::cin >> x >> f >> s;
    auto t = std::chrono::steady_clock::now() - std::chrono::steady_clock::now();
    std::random_device device;
    std::cout << x << f << s << t.count() << device();
    if (argc > 1 && i == 3) return 0;
    const char said[] = "no branch on a value, 0 failures\n";
    return write(1, said, sizeof said - 1) < 0;
}
