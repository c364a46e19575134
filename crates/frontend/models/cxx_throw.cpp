// cxx_throw.cpp: the functions by which libstdc++'s headers throw (bits/functexcept.h), as real C++ exceptions.
#include "rp_cxx.h"
#include <cstdio>
#include <functional>
#include <future>
#include <ios>
#include <new>
#include <stdexcept>
#include <system_error>
#include <typeinfo>

namespace std {
MODEL void __throw_bad_exception() { throw bad_exception(); }
MODEL void __throw_bad_alloc() { throw bad_alloc(); }
MODEL void __throw_bad_array_new_length() { throw bad_array_new_length(); }
MODEL void __throw_bad_cast() { throw bad_cast(); }
MODEL void __throw_bad_typeid() { throw bad_typeid(); }
MODEL void __throw_logic_error(const char *s) { throw logic_error(s); }
MODEL void __throw_domain_error(const char *s) { throw domain_error(s); }
MODEL void __throw_invalid_argument(const char *s) { throw invalid_argument(s); }
MODEL void __throw_length_error(const char *s) { throw length_error(s); }
MODEL void __throw_out_of_range(const char *s) { throw out_of_range(s); }
MODEL void __throw_runtime_error(const char *s) { throw runtime_error(s); }
MODEL void __throw_range_error(const char *s) { throw range_error(s); }
MODEL void __throw_overflow_error(const char *s) { throw overflow_error(s); }
MODEL void __throw_underflow_error(const char *s) { throw underflow_error(s); }
MODEL void __throw_ios_failure(const char *s) { throw ios_base::failure(s); }
MODEL void __throw_ios_failure(const char *s, int code) {
    throw ios_base::failure(s, error_code(code, generic_category()));
}
MODEL void __throw_system_error(int code) { throw system_error(error_code(code, generic_category())); }
MODEL void __throw_future_error(int code) { throw future_error(make_error_code(future_errc(code))); }
MODEL void __throw_bad_function_call() { throw bad_function_call(); }
MODEL void __throw_out_of_range_fmt(const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    throw out_of_range(text);
}
} // namespace std

namespace __cxxabiv1 {
extern "C" {
[[noreturn]] MODEL void __cxa_bad_cast() { throw std::bad_cast(); }
[[noreturn]] MODEL void __cxa_bad_typeid() { throw std::bad_typeid(); }
[[noreturn]] MODEL void __cxa_throw_bad_array_new_length() { throw std::bad_array_new_length(); }
[[noreturn]] MODEL void __cxa_throw_bad_array_length() { throw std::bad_alloc(); }
}
} // namespace __cxxabiv1
