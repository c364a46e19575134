// cxx_typeinfo.cpp: the classes of run-time type information (Itanium ABI 2.9): defining their first virtual function makes
// the compiler emit their vtables, which every type_info object refers to, and the type_infos of the fundamental types.
// Catching and casting look at the objects' data (the machine; cxx_cast.cpp), never through these virtual functions.
#include "rp_cxx.h"
#include <cxxabi.h>
#include <typeinfo>

namespace std {
MODEL type_info::~type_info() {}
MODEL bool type_info::__is_pointer_p() const { return false; }
MODEL bool type_info::__is_function_p() const { return false; }
MODEL bool type_info::__do_catch(const type_info *thrown, void **, unsigned) const { return *this == *thrown; }
MODEL bool type_info::__do_upcast(const __cxxabiv1::__class_type_info *, void **) const { return false; }
} // namespace std

namespace __cxxabiv1 {
[[noreturn]] static void not_used() { __rp_unsupported("a virtual function of std::type_info"); }

MODEL __fundamental_type_info::~__fundamental_type_info() {}
MODEL __array_type_info::~__array_type_info() {}
MODEL __enum_type_info::~__enum_type_info() {}
MODEL __function_type_info::~__function_type_info() {}
MODEL bool __function_type_info::__is_function_p() const { return true; }

MODEL __pbase_type_info::~__pbase_type_info() {}
MODEL bool __pbase_type_info::__do_catch(const std::type_info *, void **, unsigned) const { not_used(); }
MODEL __pointer_type_info::~__pointer_type_info() {}
MODEL bool __pointer_type_info::__is_pointer_p() const { return true; }
MODEL bool __pointer_type_info::__pointer_catch(const __pbase_type_info *, void **, unsigned) const { not_used(); }
MODEL __pointer_to_member_type_info::~__pointer_to_member_type_info() {}
MODEL bool __pointer_to_member_type_info::__pointer_catch(const __pbase_type_info *, void **, unsigned) const {
    not_used();
}

MODEL __class_type_info::~__class_type_info() {}
MODEL bool __class_type_info::__do_upcast(const __class_type_info *, void **) const { not_used(); }
MODEL bool __class_type_info::__do_catch(const type_info *, void **, unsigned) const { not_used(); }
MODEL __si_class_type_info::~__si_class_type_info() {}
MODEL __vmi_class_type_info::~__vmi_class_type_info() {}
#define CLASS(type)                                                                                                    \
    MODEL bool type::__do_upcast(const __class_type_info *, const void *, __upcast_result &) const { not_used(); }     \
    MODEL bool type::__do_dyncast(ptrdiff_t, __sub_kind, const __class_type_info *, const void *,                      \
                                  const __class_type_info *, const void *, __dyncast_result &) const {                 \
        not_used();                                                                                                    \
    }                                                                                                                  \
    MODEL __class_type_info::__sub_kind type::__do_find_public_src(ptrdiff_t, const void *, const __class_type_info *, \
                                                                   const void *) const {                               \
        not_used();                                                                                                    \
    }
CLASS(__class_type_info)
CLASS(__si_class_type_info)
CLASS(__vmi_class_type_info)

// What cancelling a thread would throw; never thrown here, but libstdc++ names it in catch clauses.
MODEL __forced_unwind::~__forced_unwind() noexcept {}
MODEL __foreign_exception::~__foreign_exception() noexcept {}
} // namespace __cxxabiv1
