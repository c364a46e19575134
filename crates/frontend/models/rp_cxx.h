// rp_cxx.h: the first include of every C++ model. It makes libstdc++'s headers emit the bodies of the templates that it
// otherwise keeps in its shared library (`extern template`); user code is compiled with the same definition. What then is
// still missing is what the cxx_*.cpp files define, from the declarations in the headers.
#ifndef RP_CXX_H
#define RP_CXX_H
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include "rp.h"
#endif
