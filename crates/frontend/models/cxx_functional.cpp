// cxx_functional.cpp: the placeholders of std::bind (C++20 20.14.15.4), which are objects.
#include "rp_cxx.h"
#include <functional>

namespace std::placeholders {
#define PLACEHOLDER(n) MODEL extern const _Placeholder<n> _##n{};
#pragma clang diagnostic ignored "-Wextern-initializer"
PLACEHOLDER(1)
PLACEHOLDER(2)
PLACEHOLDER(3)
PLACEHOLDER(4)
PLACEHOLDER(5)
PLACEHOLDER(6)
PLACEHOLDER(7)
PLACEHOLDER(8)
PLACEHOLDER(9)
PLACEHOLDER(10)
} // namespace std::placeholders
