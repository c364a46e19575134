// cxx_exceptions.cpp: the standard exception classes (C++20 17.7, 19.2, 19.5): messages, destructors, and with them their
// vtables and type_infos; error categories; exception_ptr over the machine's exceptions.
//
// exception_ptr and uncaught_exceptions need five functions from the machine, named as in libc++abi:
// __cxa_current_primary_exception, __cxa_increment_exception_refcount, __cxa_decrement_exception_refcount,
// __cxa_rethrow_primary_exception and __cxa_uncaught_exceptions.
#include "rp_cxx.h"
#include <any>
#include <cerrno>
#include <cstring>
#include <exception>
#include <functional>
#include <future>
#include <ios>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <typeinfo>
#include <variant>

namespace std {

// ---- messages: libstdc++ shares them by counting; a copy each has the same meaning and no shared state ----

static const char *copy_text(const char *s, size_t n) {
    char *p = static_cast<char *>(__rp_alloc(n + 1, 16, 0, RP_MALLOC));
    __builtin_memcpy(p, s, n);
    p[n] = '\0';
    return p;
}
MODEL __cow_string::__cow_string() : _M_p(copy_text("", 0)) {}
MODEL __cow_string::__cow_string(const std::string &s) : _M_p(copy_text(s.data(), s.size())) {}
MODEL __cow_string::__cow_string(const char *s, size_t n) : _M_p(copy_text(s, n)) {}
MODEL __cow_string::__cow_string(const __cow_string &o) noexcept : _M_p(copy_text(o._M_p, strlen(o._M_p))) {}
MODEL __cow_string::__cow_string(__cow_string &&o) noexcept : _M_p(copy_text(o._M_p, strlen(o._M_p))) {}
MODEL __cow_string &__cow_string::operator=(const __cow_string &o) noexcept {
    const char *fresh = copy_text(o._M_p, strlen(o._M_p));
    __rp_dealloc(const_cast<char *>(_M_p), RP_MALLOC);
    _M_p = fresh;
    return *this;
}
MODEL __cow_string &__cow_string::operator=(__cow_string &&o) noexcept {
    return *this = static_cast<const __cow_string &>(o);
}
MODEL __cow_string::~__cow_string() { __rp_dealloc(const_cast<char *>(_M_p), RP_MALLOC); }

// ---- the classes ----

MODEL exception::~exception() noexcept {}
MODEL const char *exception::what() const noexcept { return "std::exception"; }

#define NAMED(type)                                        \
    MODEL type::~type() noexcept {}                        \
    MODEL const char *type::what() const noexcept { return "std::" #type; }
NAMED(bad_exception)
NAMED(bad_alloc)
NAMED(bad_array_new_length)
NAMED(bad_cast)
NAMED(bad_typeid)
MODEL bad_function_call::~bad_function_call() noexcept {}
MODEL const char *bad_function_call::what() const noexcept { return "bad_function_call"; }
MODEL bad_weak_ptr::~bad_weak_ptr() noexcept {}
MODEL const char *bad_weak_ptr::what() const noexcept { return "bad_weak_ptr"; }

#define ROOT(type)                                                                              \
    MODEL type::type(const string &s) : _M_msg(s) {}                                            \
    MODEL type::type(const char *s) : _M_msg(s, strlen(s)) {}                                   \
    MODEL type::type(const type &o) noexcept : exception(o), _M_msg(o._M_msg) {}                \
    MODEL type::type(type &&o) noexcept : exception(o), _M_msg(o._M_msg) {}                     \
    MODEL type &type::operator=(const type &o) noexcept {                                       \
        _M_msg = o._M_msg;                                                                      \
        return *this;                                                                           \
    }                                                                                           \
    MODEL type &type::operator=(type &&o) noexcept {                                            \
        _M_msg = o._M_msg;                                                                      \
        return *this;                                                                           \
    }                                                                                           \
    MODEL type::~type() noexcept {}                                                             \
    MODEL const char *type::what() const noexcept { return _M_msg._M_p; }
ROOT(logic_error)
ROOT(runtime_error)

#define LEAF(type, base)                                \
    MODEL type::type(const string &s) : base(s) {}      \
    MODEL type::type(const char *s) : base(s) {}        \
    MODEL type::~type() noexcept {}
LEAF(domain_error, logic_error)
LEAF(invalid_argument, logic_error)
LEAF(length_error, logic_error)
LEAF(out_of_range, logic_error)
LEAF(range_error, runtime_error)
LEAF(overflow_error, runtime_error)
LEAF(underflow_error, runtime_error)

MODEL system_error::~system_error() noexcept {}
MODEL future_error::~future_error() noexcept {}
MODEL const char *future_error::what() const noexcept { return logic_error::what(); }

MODEL ios_base::failure::failure(const string &s) : system_error(io_errc::stream, s) {}
MODEL ios_base::failure::failure(const string &s, const error_code &e) : system_error(e, s) {}
MODEL ios_base::failure::failure(const char *s, const error_code &e) : system_error(e, s) {}
MODEL ios_base::failure::~failure() noexcept {}
MODEL const char *ios_base::failure::what() const noexcept { return runtime_error::what(); }

// ---- error categories ----

inline namespace _V2 {
MODEL error_category::~error_category() {}
MODEL __cow_string error_category::_M_message(int code) const { return __cow_string(message(code)); }
MODEL error_condition error_category::default_error_condition(int code) const noexcept {
    return error_condition(code, *this);
}
MODEL bool error_category::equivalent(int code, const error_condition &c) const noexcept {
    return default_error_condition(code) == c;
}
MODEL bool error_category::equivalent(const error_code &c, int code) const noexcept {
    return *this == c.category() && c.value() == code;
}
} // namespace _V2
MODEL error_condition error_code::default_error_condition() const noexcept {
    return category().default_error_condition(value());
}

// The four categories have static storage and constant initialisation, so nothing happens before main.
namespace {
struct generic_errors : error_category {
    constexpr generic_errors() noexcept {}
    const char *name() const noexcept override { return "generic"; }
    string message(int code) const override { return strerror(code); }
};
struct system_errors : error_category {
    constexpr system_errors() noexcept {}
    const char *name() const noexcept override { return "system"; }
    string message(int code) const override { return strerror(code); }
    error_condition default_error_condition(int code) const noexcept override {
        return error_condition(code, generic_category()); // every errno value of the system is POSIX's here
    }
};
struct future_errors : error_category {
    constexpr future_errors() noexcept {}
    const char *name() const noexcept override { return "future"; }
    string message(int code) const override {
        switch (future_errc(code)) {
        case future_errc::future_already_retrieved: return "Future already retrieved";
        case future_errc::promise_already_satisfied: return "Promise already satisfied";
        case future_errc::no_state: return "No associated state";
        case future_errc::broken_promise: return "Broken promise";
        default: return "Unknown error";
        }
    }
};
struct stream_errors : error_category {
    constexpr stream_errors() noexcept {}
    const char *name() const noexcept override { return "iostream"; }
    string message(int code) const override { return code == int(io_errc::stream) ? "iostream error" : "Unknown error"; }
};
// Never destroyed: a program may use them until its very end.
[[clang::no_destroy]] constinit generic_errors the_generic;
[[clang::no_destroy]] constinit system_errors the_system;
[[clang::no_destroy]] constinit future_errors the_future;
[[clang::no_destroy]] constinit stream_errors the_stream;
} // namespace

inline namespace _V2 {
MODEL const error_category &generic_category() noexcept { return the_generic; }
MODEL const error_category &system_category() noexcept { return the_system; }
} // namespace _V2
MODEL const error_category &future_category() noexcept { return the_future; }
MODEL const error_category &iostream_category() noexcept { return the_stream; }

} // namespace std

// ---- exception_ptr ----

extern "C" {
void *__cxa_current_primary_exception() noexcept;
void __cxa_increment_exception_refcount(void *) noexcept;
void __cxa_decrement_exception_refcount(void *) noexcept;
void __cxa_rethrow_primary_exception(void *);
unsigned __cxa_uncaught_exceptions() noexcept;
}

namespace std {
namespace __exception_ptr {
MODEL exception_ptr::exception_ptr(void *p) noexcept : _M_exception_object(p) { _M_addref(); }
MODEL void exception_ptr::_M_addref() noexcept {
    if (_M_exception_object != nullptr) __cxa_increment_exception_refcount(_M_exception_object);
}
MODEL void exception_ptr::_M_release() noexcept {
    if (_M_exception_object == nullptr) return;
    __cxa_decrement_exception_refcount(_M_exception_object);
    _M_exception_object = nullptr;
}
MODEL void *exception_ptr::_M_get() const noexcept { return _M_exception_object; }
} // namespace __exception_ptr

// __cxa_current_primary_exception counts the reference that it returns; the constructor counts its own.
MODEL exception_ptr current_exception() noexcept {
    void *p = __cxa_current_primary_exception();
    exception_ptr result(p);
    if (p != nullptr) __cxa_decrement_exception_refcount(p);
    return result;
}
MODEL void rethrow_exception(exception_ptr p) {
    __cxa_rethrow_primary_exception(p._M_exception_object);
    terminate();
}
MODEL bool uncaught_exception() noexcept { return __cxa_uncaught_exceptions() > 0; }
MODEL int uncaught_exceptions() noexcept { return static_cast<int>(__cxa_uncaught_exceptions()); }
MODEL nested_exception::~nested_exception() noexcept {}
} // namespace std
