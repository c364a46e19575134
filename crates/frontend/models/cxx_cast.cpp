// cxx_cast.cpp: dynamic_cast (C++20 7.6.1.7 p8, Itanium ABI 2.9.7) by walking all base subobjects of the complete object.
#include "rp_cxx.h"
#include <cxxabi.h>
#include <typeinfo>

// The vtables that tell a class's type_info: no bases, one public non-virtual base at offset 0, or anything else.
extern "C" {
extern void *const _ZTVN10__cxxabiv120__si_class_type_infoE[];
extern void *const _ZTVN10__cxxabiv121__vmi_class_type_infoE[];
}

namespace __cxxabiv1 {
namespace {
// An object's first word points behind two words of its vtable: the offset to the complete object and its type_info.
const void *const *vtable(const void *object) { return *static_cast<const void *const *const *>(object); }
bool has_vtable(const std::type_info *t, void *const *table) {
    return vtable(t) == reinterpret_cast<const void *const *>(table + 2);
}

// The distinct subobjects found so far: the first, and whether there was another.
struct found {
    const char *object = nullptr;
    bool several = false, reachable = false; // reachable: by a public path
    void add(const char *p, bool is_public) {
        if (object != nullptr && object != p) several = true;
        object = p;
        reachable = reachable || is_public;
    }
};
struct search {
    const char *source;
    const std::type_info *source_type, *target_type;
    found targets;             // subobjects of the target type
    found derived;             // those of them that the source is a public base of
    bool source_public = false; // the source is a public base of the complete object

    // Visits the subobject and its bases. target: the innermost enclosing object of the target type, if any.
    void visit(const std::type_info *type, const char *object, bool is_public, const char *target, bool target_public) {
        if (*type == *target_type) {
            targets.add(object, is_public);
            target = object;
            target_public = true;
        }
        if (object == source && *type == *source_type) {
            source_public = source_public || is_public;
            if (target != nullptr && target_public) derived.add(target, true);
        }
        if (has_vtable(type, _ZTVN10__cxxabiv120__si_class_type_infoE)) {
            visit(static_cast<const __si_class_type_info *>(type)->__base_type, object, is_public, target, target_public);
        } else if (has_vtable(type, _ZTVN10__cxxabiv121__vmi_class_type_infoE)) {
            auto *many = static_cast<const __vmi_class_type_info *>(type);
            for (unsigned i = 0; i < many->__base_count; i++)
                visit_base(many->__base_info[i], object, is_public, target, target_public);
        }
    }
    void visit_base(const __base_class_type_info &base, const char *object, bool is_public, const char *target,
                    bool target_public) {
        ptrdiff_t offset = base.__offset();
        if (base.__is_virtual_p()) // then the offset of the offset, in the vtable
            offset = *reinterpret_cast<const ptrdiff_t *>(reinterpret_cast<const char *>(vtable(object)) + offset);
        bool open = base.__is_public_p();
        visit(base.__base_type, object + offset, is_public && open, target, target_public && open);
    }
};
} // namespace

extern "C" MODEL void *__dynamic_cast(const void *source, const __class_type_info *source_type,
                                      const __class_type_info *target_type, ptrdiff_t) {
    const void *const *table = vtable(source);
    const char *complete = static_cast<const char *>(source) + reinterpret_cast<ptrdiff_t>(table[-2]);
    auto *type = static_cast<const std::type_info *>(table[-1]);
    search s{static_cast<const char *>(source), source_type, target_type, {}, {}};
    s.visit(type, complete, true, nullptr, false);
    if (s.derived.object != nullptr && !s.derived.several) return const_cast<char *>(s.derived.object);
    if (s.source_public && s.targets.reachable && !s.targets.several) return const_cast<char *>(s.targets.object);
    return nullptr;
}
} // namespace __cxxabiv1
