/* bits/shared_ptr_atomic.h: the library's own, with the cell of atomic<shared_ptr> and atomic<weak_ptr> (C++20 31.8.7)
 * as a model. libstdc++ locks a bit of the cell and unlocks it with a relaxed store, which orders its own plain accesses
 * on real processors only. Here the cell's accesses are indivisible and order nothing, and one atomic object beside them is
 * accessed with the order that was asked for; a store also learns from the stores before it, whose value it destroys. */
#pragma GCC system_header
#include_next <bits/shared_ptr_atomic.h>
#if __cplusplus > 201703L && defined(__cpp_lib_atomic_shared_ptr) && !defined(__RP_SHARED_PTR_ATOMIC)
#define __RP_SHARED_PTR_ATOMIC
extern "C" {
void __rp_section_begin(void);
void __rp_section_end(void);
[[noreturn]] void __rp_unsupported(const char *);
int __rp_futex_wait(int *, int);
int __rp_futex_wake(int *, int);
}
namespace std {

template <typename _Tp> class __rp_sp_cell {
  protected:
    using value_type = _Tp;
    using __element = typename _Tp::element_type *;

    mutable __atomic_base<int> _M_order{0};
    mutable __atomic_base<int> _M_changes{0};

    struct __section {
        __section() noexcept { __rp_section_begin(); }
        ~__section() { __rp_section_end(); }
    };
    static void __orders(memory_order __o) noexcept {
        if (__o == memory_order_relaxed)
            __rp_unsupported("a relaxed access to an atomic shared_ptr or weak_ptr that holds something");
    }

  public:
    constexpr __rp_sp_cell() noexcept = default;
    void notify_one() noexcept {
        _M_changes.fetch_add(1, memory_order_relaxed);
        __rp_futex_wake(reinterpret_cast<int *>(&_M_changes), 1);
    }
    void notify_all() noexcept {
        _M_changes.fetch_add(1, memory_order_relaxed);
        __rp_futex_wake(reinterpret_cast<int *>(&_M_changes), __INT_MAX__);
    }
};

/* Only the specialisations are friends of the pointers; they differ in how a reference is counted. */
#define __RP_SP_ATOMIC(pointer_type, add, drop)                                                               \
    template <typename _Up> class _Sp_atomic<pointer_type<_Up>> : public __rp_sp_cell<pointer_type<_Up>> {    \
        using _Tp = pointer_type<_Up>;                                                                        \
        using __base = __rp_sp_cell<_Tp>;                                                                     \
        using __count = decltype(decltype(_Tp::_M_refcount)::_M_pi);                                          \
        friend class atomic<_Tp>;                                                                             \
        __atomic_base<typename _Tp::element_type *> _M_ptr{nullptr};                                          \
        __atomic_base<__count> _M_pi{nullptr};                                                                \
                                                                                                              \
        _Tp __copy(memory_order __o) const noexcept {                                                         \
            _Tp __r;                                                                                          \
            __r._M_ptr = _M_ptr.load(memory_order_relaxed);                                                   \
            __r._M_refcount._M_pi = _M_pi.load(memory_order_relaxed);                                         \
            if (__r._M_refcount._M_pi != nullptr) {                                                           \
                __base::__orders(__o);                                                                        \
                __r._M_refcount._M_pi->add();                                                                 \
            }                                                                                                 \
            return __r;                                                                                       \
        }                                                                                                     \
        void __put(_Tp &__r, memory_order __o) noexcept {                                                     \
            auto *__p = _M_ptr.load(memory_order_relaxed);                                                    \
            auto *__c = _M_pi.load(memory_order_relaxed);                                                     \
            if (__r._M_refcount._M_pi != nullptr) __base::__orders(__o);                                      \
            this->_M_order.exchange(1, __o == memory_order_seq_cst ? __o : memory_order_acq_rel);             \
            _M_ptr.store(__r._M_ptr, memory_order_relaxed);                                                   \
            _M_pi.store(__r._M_refcount._M_pi, memory_order_relaxed);                                         \
            __r._M_ptr = __p;                                                                                 \
            __r._M_refcount._M_pi = __c;                                                                      \
        }                                                                                                     \
        bool __holds(const _Tp &__r) const noexcept {                                                         \
            return _M_ptr.load(memory_order_relaxed) == __r._M_ptr                                            \
                && _M_pi.load(memory_order_relaxed) == __r._M_refcount._M_pi;                                 \
        }                                                                                                     \
                                                                                                              \
      public:                                                                                                 \
        constexpr _Sp_atomic() noexcept = default;                                                            \
        explicit _Sp_atomic(_Tp __r) noexcept : _M_ptr(__r._M_ptr), _M_pi(__r._M_refcount._M_pi) {            \
            __r._M_refcount._M_pi = nullptr;                                                                  \
        }                                                                                                     \
        _Sp_atomic(const _Sp_atomic &) = delete;                                                              \
        void operator=(const _Sp_atomic &) = delete;                                                          \
        ~_Sp_atomic() {                                                                                       \
            if (__count __c = _M_pi.load(memory_order_relaxed)) __c->drop();                                  \
        }                                                                                                     \
        _Tp load(memory_order __o) const noexcept {                                                           \
            typename __base::__section __alone;                                                               \
            this->_M_order.load(__o);                                                                         \
            return __copy(__o);                                                                               \
        }                                                                                                     \
        void swap(_Tp &__r, memory_order __o) noexcept {                                                      \
            typename __base::__section __alone;                                                               \
            __put(__r, __o);                                                                                  \
        }                                                                                                     \
        bool compare_exchange_strong(_Tp &__expected, _Tp __desired, memory_order __o,                        \
                                     memory_order __o2) noexcept {                                            \
            _Tp __sink;                                                                                       \
            typename __base::__section __alone;                                                               \
            if (__holds(__expected)) {                                                                        \
                __put(__desired, __o);                                                                        \
                return true;                                                                                  \
            }                                                                                                 \
            this->_M_order.load(__o2);                                                                        \
            __sink = std::move(__expected);                                                                   \
            __expected = __copy(__o2);                                                                        \
            return false;                                                                                     \
        }                                                                                                     \
        void wait(_Tp __old, memory_order __o) const noexcept {                                               \
            for (;;) {                                                                                        \
                int __seen = this->_M_changes.load(memory_order_relaxed);                                     \
                {                                                                                             \
                    typename __base::__section __alone;                                                       \
                    if (!__holds(__old)) {                                                                    \
                        this->_M_order.load(__o);                                                             \
                        return;                                                                               \
                    }                                                                                         \
                }                                                                                             \
                __rp_futex_wait(reinterpret_cast<int *>(&this->_M_changes), __seen);                          \
            }                                                                                                 \
        }                                                                                                     \
    };
__RP_SP_ATOMIC(shared_ptr, _M_add_ref_copy, _M_release)
__RP_SP_ATOMIC(weak_ptr, _M_weak_add_ref, _M_weak_release)
#undef __RP_SP_ATOMIC
} // namespace std
#endif
