// cxx_locale.cpp: the classic locale, the only one, with the facets that streams and regular expressions of char
// need (C++20 28.3, 28.4): ctype, numpunct, num_put, num_get and collate. Asking for another is not supported: to say that
// it is not there would be an exception that no real program sees.
//
// Printing a number to cout, cerr or clog must not branch on its value (rp.h says why); hence a num_put of our own, which
// hands pieces of computed length to __rp_output. Reading a number from cin gives an arbitrary one.
#include "cxx_console.h"
#include <cstdlib>
#include <limits>
#include <locale>

namespace std {

// ---- numbers out ----

namespace {
using out_iterator = ostreambuf_iterator<char>;

// Where formatted text goes: straight to a console stream, or character by character to any other.
struct text_sink {
    out_iterator out;
    int fd;
    explicit text_sink(out_iterator to) : out(to), fd(console_descriptor(buffer_of(to))) {}
    void put(const char *p, size_t n) {
        if (fd >= 0) {
            console_put(fd, p, n);
        } else {
            for (size_t i = 0; i < n; i++) {
                *out = p[i];
                ++out;
            }
        }
    }
    // n fill characters; n may depend on the value printed, its bound does not.
    void fill(char c, int n, int bound) {
        char some[16];
        __builtin_memset(some, c, sizeof some);
        for (; bound > 0; bound -= 16) {
            int piece = positive(16 - positive(16 - n));
            put(some, static_cast<size_t>(piece));
            n -= piece;
        }
    }
    static int positive(int v) { return v & ~(v >> 31); } // max(v, 0) without a branch
};

// A number as up to two pieces: the head (sign or 0x), before which or after which the filling may go, and the rest.
out_iterator put_padded(out_iterator to, ios_base &io, char fill, const char *head, int head_n, const char *rest,
                        int rest_n) {
    text_sink sink(to);
    int width = static_cast<int>(io.width());
    int padding = text_sink::positive(width - head_n - rest_n);
    auto adjust = io.flags() & ios_base::adjustfield;
    if (adjust != ios_base::left && adjust != ios_base::internal) sink.fill(fill, padding, width);
    sink.put(head, static_cast<size_t>(head_n));
    if (adjust == ios_base::internal) sink.fill(fill, padding, width);
    sink.put(rest, static_cast<size_t>(rest_n));
    if (adjust == ios_base::left) sink.fill(fill, padding, width);
    if (width != 0) io.width(0); // no write otherwise: the stream may be shared (cxx_console.cpp)
    return sink.out;
}

out_iterator put_integer(out_iterator to, ios_base &io, ios_base::fmtflags flags, char fill, unsigned long long v,
                         bool is_signed, int bits) {
    auto base = flags & ios_base::basefield;
    bool upper = (flags & ios_base::uppercase) != 0, show = (flags & ios_base::showbase) != 0;
    char text[65] = {'0'}, head[2] = {'0', upper ? 'X' : 'x'};
    int head_n = 0, n;
    if (base == ios_base::oct || base == ios_base::hex) {
        v = v << (64 - bits) >> (64 - bits);
        n = __rp_digits(text + 1, v, base == ios_base::oct ? 8 : 16, bits, upper);
        if (base == ios_base::hex) head_n = 2 * show * (v != 0);
    } else {
        int negative = is_signed & (static_cast<long long>(v) < 0);
        unsigned long long flip = 0ull - static_cast<unsigned long long>(negative);
        n = __rp_digits(text + 1, (v ^ flip) - flip, 10, bits, 0);
        int plus = is_signed && (flags & ios_base::showpos) ? '+' : 0;
        head[0] = static_cast<char>(negative * '-' + (1 - negative) * plus);
        head_n = head[0] != 0;
    }
    // The digits stand at the end of text, after zeros. One zero stands for the number 0 and, with showbase, begins every
    // octal number.
    int zero = n == 0;
    if (base == ios_base::oct && show) zero = 1;
    return put_padded(to, io, fill, head, head_n, text + 65 - n - zero, n + zero);
}

out_iterator put_float(out_iterator to, ios_base &io, char fill, long double v, int kind) {
    auto flags = io.flags();
    auto field = flags & ios_base::floatfield;
    bool upper = (flags & ios_base::uppercase) != 0, hex = field == (ios_base::fixed | ios_base::scientific);
    char conversion = hex ? 'a' : field == ios_base::fixed ? 'f' : field == ios_base::scientific ? 'e' : 'g';
    if (upper && conversion != 'f') conversion = static_cast<char>(conversion - 32); // libstdc++ prints inf, not INF, if fixed
    int precision = hex ? -1 : static_cast<int>(io.precision());
    size_t cap = 5120 + static_cast<size_t>(precision < 0 ? 0 : precision);
    char *text = static_cast<char *>(__rp_alloc(cap, 16, 0, RP_MALLOC));
    int asked = (flags & ios_base::showpoint ? 1 : 0) | (flags & ios_base::showpos ? 2 : 0) | kind;
    int n = __rp_format_float(text, cap, &v, conversion, asked, precision);
    int head = (text[0] == '-') | (text[0] == '+');
    if (hex) head |= 2 * (1 - head) * ((text[0] == '0') & (text[1] == (upper ? 'X' : 'x'))); // a sign goes first, else 0x
    out_iterator end = put_padded(to, io, fill, text, head, text + head, n - head);
    __rp_dealloc(text, RP_MALLOC);
    return end;
}

struct number_output : num_put<char> {
    explicit number_output(size_t refs) : num_put<char>(refs) {}
    ~number_output() override {}

  protected:
    iter_type do_put(iter_type s, ios_base &io, char fill, bool v) const override {
        if (!(io.flags() & ios_base::boolalpha)) return do_put(s, io, fill, static_cast<long>(v));
        int no = 1 - v;
        return put_padded(s, io, fill, "", 0, &"truefalse"[4 * no], 4 + no);
    }
    iter_type do_put(iter_type s, ios_base &io, char fill, long v) const override {
        return put_integer(s, io, io.flags(), fill, static_cast<unsigned long long>(static_cast<long long>(v)), true, 8 * sizeof v);
    }
    iter_type do_put(iter_type s, ios_base &io, char fill, unsigned long v) const override {
        return put_integer(s, io, io.flags(), fill, v, false, 8 * sizeof v);
    }
    iter_type do_put(iter_type s, ios_base &io, char fill, long long v) const override {
        return put_integer(s, io, io.flags(), fill, static_cast<unsigned long long>(v), true, 64);
    }
    iter_type do_put(iter_type s, ios_base &io, char fill, unsigned long long v) const override {
        return put_integer(s, io, io.flags(), fill, v, false, 64);
    }
    iter_type do_put(iter_type s, ios_base &io, char fill, double v) const override {
        return put_float(s, io, fill, v, 0);
    }
    iter_type do_put(iter_type s, ios_base &io, char fill, long double v) const override {
        return put_float(s, io, fill, v, 8);
    }
    iter_type do_put(iter_type s, ios_base &io, char fill, const void *p) const override {
        auto flags = (io.flags() & ~(ios_base::basefield | ios_base::uppercase)) | ios_base::hex | ios_base::showbase;
        return put_integer(s, io, flags, fill, reinterpret_cast<uintptr_t>(p), false, 8 * sizeof p);
    }
};

// ---- numbers in ----

struct number_input : num_get<char> {
    explicit number_input(size_t refs) : num_get<char>(refs) {}
    ~number_input() override {}

  protected:
#define FROM_CONSOLE(type)                                                                                          \
    iter_type do_get(iter_type b, iter_type e, ios_base &io, ios_base::iostate &err, type &v) const override {      \
        if (!is_console_input(buffer_of(b))) return num_get<char>::do_get(b, e, io, err, v);                        \
        __rp_havoc(&v, sizeof v);                                                                                   \
        return b;                                                                                                   \
    }
    FROM_CONSOLE(long)
    FROM_CONSOLE(unsigned short)
    FROM_CONSOLE(unsigned)
    FROM_CONSOLE(unsigned long)
    FROM_CONSOLE(long long)
    FROM_CONSOLE(unsigned long long)
    FROM_CONSOLE(float)
    FROM_CONSOLE(double)
    FROM_CONSOLE(long double)
    FROM_CONSOLE(void *)
    iter_type do_get(iter_type b, iter_type e, ios_base &io, ios_base::iostate &err, bool &v) const override {
        if (!is_console_input(buffer_of(b))) return num_get<char>::do_get(b, e, io, err, v);
        v = __rp_choose(0, 1) != 0;
        return b;
    }
};
} // namespace

// The tables of characters that numbers are made of, in the order that num_get's enumerators say.
const char *__num_base::_S_atoms_in = "-+xX0123456789abcdefABCDEF";
const char *__num_base::_S_atoms_out = "-+xX0123456789abcdef0123456789ABCDEF";

// The printf format for a floating number; number_output does not need it, but the class that it derives from does.
MODEL void __num_base::_S_format_float(const ios_base &io, char *out, char modifier) noexcept {
    auto flags = io.flags();
    auto field = flags & ios_base::floatfield;
    bool upper = (flags & ios_base::uppercase) != 0, hex = field == (ios_base::fixed | ios_base::scientific);
    *out++ = '%';
    if (flags & ios_base::showpos) *out++ = '+';
    if (flags & ios_base::showpoint) *out++ = '#';
    if (!hex) *out++ = '.', *out++ = '*';
    if (modifier != 0) *out++ = modifier;
    char conversion = hex ? 'a' : field == ios_base::fixed ? 'f' : field == ios_base::scientific ? 'e' : 'g';
    *out++ = static_cast<char>(upper && conversion != 'f' ? conversion - 32 : conversion);
    *out = '\0';
}

// Text to floating number: v becomes the nearest, or the largest with failbit on overflow (28.4.3.2.3).
template <class T> static void convert(const char *s, T &v, ios_base::iostate &err, T (*parse)(const char *, char **)) {
    char *end;
    v = parse(s, &end);
    constexpr T most = numeric_limits<T>::max();
    if (end == s || *end != '\0') {
        v = 0;
        err = ios_base::failbit;
    } else if (v > most) {
        v = most;
        err = ios_base::failbit;
    } else if (v < -most) {
        v = -most;
        err = ios_base::failbit;
    }
}
template <> MODEL void __convert_to_v(const char *s, float &v, ios_base::iostate &err, const __c_locale &) noexcept {
    convert(s, v, err, strtof);
}
template <> MODEL void __convert_to_v(const char *s, double &v, ios_base::iostate &err, const __c_locale &) noexcept {
    convert(s, v, err, strtod);
}
template <>
MODEL void __convert_to_v(const char *s, long double &v, ios_base::iostate &err, const __c_locale &) noexcept {
    convert(s, v, err, strtold);
}

// ---- characters ----

locale::id ctype<char>::id;
MODEL ctype<char>::ctype(const mask *table, bool del, size_t refs)
    : facet(refs), _M_c_locale_ctype(nullptr), _M_del(table != nullptr && del), _M_toupper(*__ctype_toupper_loc()),
      _M_tolower(*__ctype_tolower_loc()), _M_table(table != nullptr ? table : *__ctype_b_loc()), _M_widen_ok(1),
      _M_narrow_ok(1) {
    // The tables that the header fills on first use are filled here: a facet is shared among threads.
    for (int i = 0; i < 256; i++) _M_widen[i] = _M_narrow[i] = static_cast<char>(i);
}
MODEL ctype<char>::~ctype() {
    if (_M_del) delete[] _M_table;
}
MODEL const ctype_base::mask *ctype<char>::classic_table() noexcept { return *__ctype_b_loc(); }
MODEL void ctype<char>::_M_widen_init() const {}
MODEL void ctype<char>::_M_narrow_init() const {}
MODEL char ctype<char>::do_toupper(char c) const { return static_cast<char>(_M_toupper[static_cast<unsigned char>(c)]); }
MODEL char ctype<char>::do_tolower(char c) const { return static_cast<char>(_M_tolower[static_cast<unsigned char>(c)]); }
MODEL const char *ctype<char>::do_toupper(char *p, const char *end) const {
    for (; p < end; p++) *p = do_toupper(*p);
    return end;
}
MODEL const char *ctype<char>::do_tolower(char *p, const char *end) const {
    for (; p < end; p++) *p = do_tolower(*p);
    return end;
}

template <> MODEL numpunct<char>::~numpunct() {}
template <> MODEL void numpunct<char>::_M_initialize_numpunct(__c_locale) {
    _M_data->_M_grouping = "";
    _M_data->_M_grouping_size = 0;
    _M_data->_M_use_grouping = false;
    _M_data->_M_decimal_point = '.';
    _M_data->_M_thousands_sep = ',';
    for (size_t i = 0; i < __num_base::_S_oend; i++) _M_data->_M_atoms_out[i] = __num_base::_S_atoms_out[i];
    for (size_t i = 0; i < __num_base::_S_iend; i++) _M_data->_M_atoms_in[i] = __num_base::_S_atoms_in[i];
    _M_data->_M_truename = "true";
    _M_data->_M_truename_size = 4;
    _M_data->_M_falsename = "false";
    _M_data->_M_falsename_size = 5;
}
MODEL bool __verify_grouping(const char *, size_t, const string &) throw() { return true; } // never grouped

// In the C locale text is ordered by its bytes.
template <> MODEL int collate<char>::_M_compare(const char *a, const char *b) const throw() {
    int order = strcmp(a, b);
    return (order > 0) - (order < 0);
}
template <> MODEL size_t collate<char>::_M_transform(char *to, const char *from, size_t n) const throw() {
    return strxfrm(to, from, n);
}

// ---- the locale ----

MODEL locale::facet::~facet() {}
MODEL __c_locale locale::facet::_S_get_c_locale() { return nullptr; }
MODEL void locale::facet::_S_destroy_c_locale(__c_locale &) {}

// Facets have fixed places, so that nothing is written when one is first used.
enum place : size_t { CTYPE, NUMPUNCT, NUM_PUT, NUM_GET, COLLATE, PLACES };
MODEL size_t locale::id::_M_id() const noexcept {
    if (this == &::std::ctype<char>::id) return CTYPE;
    if (this == &numpunct<char>::id) return NUMPUNCT;
    if (this == &num_put<char>::id) return NUM_PUT;
    if (this == &num_get<char>::id) return NUM_GET;
    if (this == &::std::collate<char>::id) return COLLATE;
    __rp_unsupported("a locale facet beyond characters, numbers and comparing text");
}
MODEL locale::_Impl::_Impl(size_t) noexcept
    : _M_refcount(1), _M_facets(new const facet *[PLACES]), _M_facets_size(PLACES), _M_caches(new const facet *[PLACES]()),
      _M_names(nullptr) {
    auto *cache = new __numpunct_cache<char>(1);
    _M_facets[CTYPE] = new ::std::ctype<char>(nullptr, false, 1);
    _M_facets[NUMPUNCT] = new numpunct<char>(cache, 1);
    _M_facets[NUM_PUT] = new number_output(1);
    _M_facets[NUM_GET] = new number_input(1);
    _M_facets[COLLATE] = new ::std::collate<char>(1);
    _M_caches[NUMPUNCT] = cache;
}
MODEL void locale::_Impl::_M_install_cache(const facet *, size_t) { __rp_unsupported("a locale facet beyond numbers"); }

// _S_classic is set before main where <iostream> is used (cxx_console.cpp), and only read afterwards; without <iostream>
// every use goes through the guard of the static object.
MODEL locale::_Impl *locale::_S_classic;
MODEL const locale &locale::classic() {
    static const locale the_classic(new _Impl(0));
    return the_classic;
}
MODEL locale::locale(_Impl *impl) noexcept : _M_impl(impl) {}
MODEL locale::locale() noexcept : _M_impl(_S_classic != nullptr ? _S_classic : classic()._M_impl) {}
MODEL locale::locale(const locale &other) noexcept : _M_impl(other._M_impl) {}
MODEL locale::locale(const char *name) : _M_impl(classic()._M_impl) {
    if (strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0 && *name != '\0')
        __throw_runtime_error("locale::facet::_S_create_c_locale name not valid");
}
MODEL locale::~locale() noexcept {}
MODEL const locale &locale::operator=(const locale &other) noexcept {
    _M_impl = other._M_impl;
    return *this;
}
MODEL bool locale::operator==(const locale &other) const noexcept { return _M_impl == other._M_impl; }
MODEL string locale::name() const { return "C"; }
MODEL locale locale::global(const locale &) { return locale(); }
} // namespace std

