// cxx_console.h: the stream buffers behind cout, cerr, clog and cin, and how to tell that a stream uses one.
#ifndef CXX_CONSOLE_H
#define CXX_CONSOLE_H
#include "rp_cxx.h"
#include <cstring>
#include <istream>
#include <iterator>
#include <ostream>
#include <streambuf>

namespace std {
int console_descriptor(const streambuf *buffer); // 1 or 2, or -1 if it is not the console's
void console_put(int fd, const void *p, size_t n); // what they print goes this way
bool is_console_input(const streambuf *buffer);

// The iterators' first member is their buffer, and has no accessor.
inline const streambuf *buffer_of(const ostreambuf_iterator<char> &it) {
    return *reinterpret_cast<streambuf *const *>(&it);
}
inline const streambuf *buffer_of(const istreambuf_iterator<char> &it) {
    return *reinterpret_cast<streambuf *const *>(&it);
}
} // namespace std
#endif
