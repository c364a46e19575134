// cxx_console.cpp: cout, cerr, clog and cin (C++20 29.4), the base class ios_base (29.5.3), and the input functions that
// libstdc++ specialises for char.
//
// The stream objects exist from ios_base::Init on, which every file that includes <iostream> constructs before main. Output
// is not buffered. Inserting into one of these streams from several threads is no data race (29.4.2 p5), although libstdc++
// sets the stream's width to 0 after each insertion: here (__ostream_insert below, put_padded in cxx_locale.cpp) it is
// written only if it was not 0. So only changing the stream's format (setw, hex) beside its use is seen as a race, which it is.
// What cin holds is unconstrained: a number is any number, a character any character; a word or a line, which could have
// any length, is not supported.
#include "cxx_console.h"
#include <initializer_list>
#include <limits>
#include <new>
#include <ostream>
#include <string>

namespace std {
namespace {
// Only streams that are synchronised with those of C may be used by several threads ([iostream.objects.overview]).
bool synchronised = true;
unsigned position;
} // namespace
MODEL void console_put(int fd, const void *p, size_t n) {
    if (!synchronised) position += static_cast<unsigned>(n);
    __rp_output(fd, p, n);
}
namespace {
struct console_output : streambuf {
    int descriptor;
    explicit console_output(int fd) : descriptor(fd) {}

  protected:
    int_type overflow(int_type c) override {
        char byte = static_cast<char>(c);
        if (c != traits_type::eof()) console_put(descriptor, &byte, 1);
        return traits_type::not_eof(c);
    }
    streamsize xsputn(const char *s, streamsize n) override {
        console_put(descriptor, s, static_cast<size_t>(n));
        return n;
    }
};
// A formatted read first looks at the next character to skip white space: that look sees a letter. Taking a character gives
// an arbitrary one, or the end.
struct console_input : streambuf {
  protected:
    int_type underflow() override { return 'a'; }
    int_type uflow() override {
        unsigned v;
        __rp_havoc(&v, sizeof v);
        return static_cast<int_type>(v % 257) - 1;
    }
};

// Storage whose object Init makes.
template <class T> struct storage {
    alignas(T) unsigned char bytes[sizeof(T)];
    T *get() { return reinterpret_cast<T *>(bytes); }
};
storage<console_output> out_buffer, error_buffer;
storage<console_input> in_buffer;
int times_made;
} // namespace

// A variable's symbol does not name its type: these are std::cout and the others.
alignas(ostream) char cout[sizeof(ostream)];
alignas(ostream) char cerr[sizeof(ostream)];
alignas(ostream) char clog[sizeof(ostream)];
alignas(istream) char cin[sizeof(istream)];

int console_descriptor(const streambuf *buffer) {
    if (buffer == out_buffer.get()) return 1;
    return buffer == error_buffer.get() ? 2 : -1;
}
bool is_console_input(const streambuf *buffer) { return buffer == in_buffer.get(); }

// The private static member locale::_S_classic (cxx_locale.cpp), by its symbol: the first member of a locale.
extern void *classic_locale __asm__("_ZNSt6locale10_S_classicE");

MODEL ios_base::Init::Init() {
    if (times_made++ > 0) return;
    classic_locale = *reinterpret_cast<void *const *>(&locale::classic());
    new (out_buffer.bytes) console_output(1);
    new (error_buffer.bytes) console_output(2);
    new (in_buffer.bytes) console_input;
    auto *out = new (cout) ostream(out_buffer.get());
    auto *error = new (cerr) ostream(error_buffer.get());
    auto *log = new (clog) ostream(error_buffer.get());
    auto *in = new (cin) istream(in_buffer.get());
    error->setf(ios_base::unitbuf);
    error->tie(out);
    in->tie(out);
    for (ostream *stream : {out, error, log}) stream->fill(); // the header sets this field when it is first asked for
}
MODEL ios_base::Init::~Init() {}

// ---- ios_base ----

MODEL ios_base::ios_base() noexcept
    : _M_precision(), _M_width(), _M_flags(), _M_exception(), _M_streambuf_state(), _M_callbacks(nullptr), _M_word_zero(),
      _M_word_size(_S_local_word_size), _M_word(_M_local_word), _M_ios_locale() {}
MODEL ios_base::~ios_base() {
    _M_call_callbacks(erase_event);
    _M_dispose_callbacks();
}
MODEL void ios_base::_M_init() noexcept {
    _M_precision = 6;
    _M_width = 0;
    _M_flags = skipws | dec;
    _M_ios_locale = locale();
}
MODEL locale ios_base::imbue(const locale &l) noexcept {
    locale old = _M_ios_locale;
    _M_ios_locale = l;
    _M_call_callbacks(imbue_event);
    return old;
}
MODEL bool ios_base::sync_with_stdio(bool sync) {
    bool before = synchronised;
    synchronised = sync;
    return before;
}
MODEL void ios_base::register_callback(event_callback, int) { __rp_not_modelled("ios_base::register_callback"); }
MODEL void ios_base::_M_call_callbacks(event) noexcept {}
MODEL void ios_base::_M_dispose_callbacks() noexcept {}
MODEL ios_base::_Words &ios_base::_M_grow_words(int, bool) { __rp_unsupported("more than 8 words in ios_base::iword"); }
MODEL int ios_base::xalloc() noexcept { __rp_not_modelled("ios_base::xalloc"); }
MODEL void ios_base::_M_move(ios_base &o) noexcept {
    _M_precision = o._M_precision;
    _M_width = o._M_width;
    _M_flags = o._M_flags;
    _M_exception = o._M_exception;
    _M_streambuf_state = o._M_streambuf_state;
    for (int i = 0; i < _S_local_word_size; i++) _M_local_word[i] = o._M_local_word[i];
    _M_ios_locale = o._M_ios_locale;
}
MODEL void ios_base::_M_swap(ios_base &o) noexcept {
    std::swap(_M_precision, o._M_precision);
    std::swap(_M_width, o._M_width);
    std::swap(_M_flags, o._M_flags);
    std::swap(_M_exception, o._M_exception);
    std::swap(_M_streambuf_state, o._M_streambuf_state);
    for (int i = 0; i < _S_local_word_size; i++) std::swap(_M_local_word[i], o._M_local_word[i]);
    std::swap(_M_ios_locale, o._M_ios_locale);
}

// ---- text out: what every insertion of a string comes down to. A strong definition: it replaces the headers' template ----

static void put_fill(ostream &out, streamsize n) {
    char c = out.fill();
    for (; n > 0; n--)
        if (out.rdbuf()->sputc(c) == char_traits<char>::eof()) out.setstate(ios_base::badbit);
}
template <> ostream &__ostream_insert(ostream &out, const char *s, streamsize n) {
    ostream::sentry ready(out);
    if (!ready) return out;
    try {
        streamsize width = out.width();
        bool left = (out.flags() & ios_base::adjustfield) == ios_base::left;
        if (!left) put_fill(out, width - n);
        if (out.good() && out.rdbuf()->sputn(s, n) != n) out.setstate(ios_base::badbit);
        if (left && out.good()) put_fill(out, width - n);
        if (width != 0) out.width(0);
    } catch (...) { // from the user's own stream buffer (29.7.5.2.1)
        out._M_setstate(ios_base::badbit);
    }
    return out;
}

// ---- input functions specialised for char ----

using traits = char_traits<char>;

// int and short are read as long and then checked, which would branch on an arbitrary number: from the console they are
// arbitrary directly. (Strong definitions: they replace the headers' templates.)
template <class T> static istream &read_narrow(istream &in, T &v) {
    if (is_console_input(in.rdbuf())) {
        __rp_havoc(&v, sizeof v);
        return in;
    }
    long wide;
    if (!(in >> wide)) {
        v = static_cast<T>(wide > numeric_limits<T>::max() ? numeric_limits<T>::max()
                           : wide < numeric_limits<T>::min() ? numeric_limits<T>::min() : wide);
        return in;
    }
    if (wide > numeric_limits<T>::max() || wide < numeric_limits<T>::min()) {
        v = wide < 0 ? numeric_limits<T>::min() : numeric_limits<T>::max();
        in.setstate(ios_base::failbit);
    } else {
        v = static_cast<T>(wide);
    }
    return in;
}
template <> istream &istream::operator>>(int &v) { return read_narrow(*this, v); }
template <> istream &istream::operator>>(short &v) { return read_narrow(*this, v); }

static void refuse_console(istream &in, const char *what) {
    if (is_console_input(in.rdbuf())) __rp_unsupported(what);
}
template <> MODEL istream &operator>>(istream &in, string &s) {
    refuse_console(in, "reading a word from cin (it may have any length)");
    istream::sentry ready(in, false);
    if (!ready) return in;
    s.erase();
    streamsize limit = in.width() > 0 ? in.width() : numeric_limits<streamsize>::max();
    auto &classes = use_facet<ctype<char>>(in.getloc());
    int c = in.rdbuf()->sgetc();
    for (; limit > 0 && c != traits::eof() && !classes.is(ctype_base::space, static_cast<char>(c)); limit--) {
        s += static_cast<char>(c);
        c = in.rdbuf()->snextc();
    }
    ios_base::iostate state = c == traits::eof() && limit > 0 ? ios_base::eofbit : ios_base::goodbit;
    in.width(0);
    if (s.empty()) state |= ios_base::failbit;
    if (state != ios_base::goodbit) in.setstate(state);
    return in;
}
template <> MODEL istream &getline(istream &in, string &s, char delimiter) {
    refuse_console(in, "reading a line from cin (it may have any length)");
    istream::sentry ready(in, true);
    if (!ready) return in;
    s.erase();
    bool any = false;
    for (int c = in.rdbuf()->sbumpc();; c = in.rdbuf()->sbumpc()) {
        if (c == traits::eof()) {
            in.setstate(any ? ios_base::eofbit : ios_base::eofbit | ios_base::failbit);
            return in;
        }
        any = true;
        if (traits::eq(static_cast<char>(c), delimiter)) return in;
        s += static_cast<char>(c);
    }
}
template <> MODEL istream &istream::getline(char *s, streamsize n, char delimiter) {
    refuse_console(*this, "reading a line from cin (it may have any length)");
    _M_gcount = 0;
    sentry ready(*this, true);
    ios_base::iostate state = ios_base::goodbit;
    streamsize stored = 0;
    if (ready) {
        for (;;) {
            int c = rdbuf()->sgetc();
            if (c == traits::eof()) {
                state |= ios_base::eofbit;
                break;
            }
            if (traits::eq(static_cast<char>(c), delimiter)) {
                rdbuf()->sbumpc();
                _M_gcount++;
                break;
            }
            if (stored + 1 >= n) {
                state |= ios_base::failbit;
                break;
            }
            s[stored++] = static_cast<char>(c);
            _M_gcount++;
            rdbuf()->sbumpc();
        }
    }
    if (n > 0) s[stored] = '\0';
    if (_M_gcount == 0) state |= ios_base::failbit;
    if (state != ios_base::goodbit) setstate(state);
    return *this;
}
// Skips up to n characters, and stops after the delimiter (-2: there is none).
static streamsize skip(istream &in, streamsize n, int delimiter) {
    streamsize count = 0;
    for (; n == numeric_limits<streamsize>::max() || count < n;) {
        int c = in.rdbuf()->sbumpc();
        if (c == traits::eof()) {
            in.setstate(ios_base::eofbit);
            break;
        }
        count++;
        if (c == delimiter) break;
    }
    return count;
}
template <> MODEL istream &istream::ignore(streamsize n) {
    _M_gcount = 0;
    sentry ready(*this, true);
    if (ready && n > 0) _M_gcount = skip(*this, n, -2);
    return *this;
}
template <> MODEL istream &istream::ignore(streamsize n, int_type delimiter) {
    _M_gcount = 0;
    sentry ready(*this, true);
    if (ready && n > 0) _M_gcount = skip(*this, n, delimiter);
    return *this;
}
} // namespace std
