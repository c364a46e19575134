// cxx_thread.cpp: the out-of-line parts of <thread>, <mutex>, <condition_variable>, <future>, <chrono>, <random> and of
// shared_ptr's atomic access (C++20 clause 32), over pthreads.
#include "rp_cxx.h"
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <random>
#include <thread>

namespace std {

// ---- threads ----

MODEL thread::_State::~_State() = default;

// An exception that leaves the thread's function ends the program (32.4.3.3): hence noexcept.
static void *run_state(void *p) noexcept {
    unique_ptr<thread::_State> state(static_cast<thread::_State *>(p));
    state->_M_run();
    return nullptr;
}
MODEL void thread::_M_start_thread(_State_ptr state, void (*)()) {
    int error = pthread_create(&_M_id._M_thread, nullptr, run_state, state.get());
    if (error != 0) __throw_system_error(error);
    state.release();
}
MODEL void thread::join() {
    int error = _M_id == id() ? EINVAL : pthread_join(_M_id._M_thread, nullptr);
    if (error != 0) __throw_system_error(error);
    _M_id = id();
}
MODEL void thread::detach() {
    int error = _M_id == id() ? EINVAL : pthread_detach(_M_id._M_thread);
    if (error != 0) __throw_system_error(error);
    _M_id = id();
}
MODEL unsigned thread::hardware_concurrency() noexcept { return __rp_thread_bound(); }
namespace this_thread {
MODEL void __sleep_for(chrono::seconds, chrono::nanoseconds) { __rp_yield(); }
} // namespace this_thread

// ---- once ----

MODEL __thread void *__once_callable;
MODEL __thread void (*__once_call)();
extern "C" MODEL void __once_proxy() { __once_call(); }

// ---- condition variables ----

MODEL condition_variable::condition_variable() noexcept = default;
MODEL condition_variable::~condition_variable() noexcept = default;
MODEL void condition_variable::wait(unique_lock<mutex> &lock) { _M_cond.wait(*lock.mutex()); }
MODEL void condition_variable::notify_one() noexcept { _M_cond.notify_one(); }
MODEL void condition_variable::notify_all() noexcept { _M_cond.notify_all(); }

// ---- what happens at a thread's exit, after its thread_local objects are gone: a list under a pthread key, whose
// destructors run then ----

static pthread_once_t exit_once = PTHREAD_ONCE_INIT;
static pthread_key_t exit_key;
static void run_exit_list(void *p) {
    for (auto *e = static_cast<__at_thread_exit_elt *>(p); e != nullptr;) {
        auto *after = e->_M_next;
        e->_M_cb(e);
        e = after;
    }
}
static void make_exit_key() { pthread_key_create(&exit_key, run_exit_list); }
static void at_thread_exit(__at_thread_exit_elt *e) {
    pthread_once(&exit_once, make_exit_key);
    e->_M_next = static_cast<__at_thread_exit_elt *>(pthread_getspecific(exit_key));
    pthread_setspecific(exit_key, e);
}
namespace {
struct pending_notify : __at_thread_exit_elt {
    condition_variable *condition;
    mutex *held;
    static void run(void *p) {
        auto *self = static_cast<pending_notify *>(static_cast<__at_thread_exit_elt *>(p));
        self->held->unlock();
        self->condition->notify_all();
        delete self;
    }
};
} // namespace
MODEL void notify_all_at_thread_exit(condition_variable &c, unique_lock<mutex> lock) {
    auto *e = new pending_notify;
    e->_M_cb = pending_notify::run;
    e->condition = &c;
    e->held = lock.release();
    at_thread_exit(e);
}

// ---- futures ----

MODEL __future_base::_Result_base::_Result_base() = default;
MODEL __future_base::_Result_base::~_Result_base() = default;
MODEL void __future_base::_State_baseV2::_Make_ready::_S_run(void *p) {
    unique_ptr<_Make_ready> self(static_cast<_Make_ready *>(static_cast<__at_thread_exit_elt *>(p)));
    if (auto state = self->_M_shared_state.lock()) state->_M_status._M_store_notify_all(_Status::__ready, memory_order_release);
}
MODEL void __future_base::_State_baseV2::_Make_ready::_M_set() {
    _M_cb = _S_run;
    at_thread_exit(this);
}

// A wait with a time limit may end at any time: look once, after every other thread had its chance.
static bool wait_once(unsigned *word, unsigned old, bool limited) {
    if (!limited) {
        __rp_futex_wait(reinterpret_cast<int *>(word), static_cast<int>(old));
        return true;
    }
    __rp_yield();
    return __atomic_load_n(word, __ATOMIC_SEQ_CST) != old;
}
MODEL bool __atomic_futex_unsigned_base::_M_futex_wait_until(unsigned *word, unsigned old, bool limited, chrono::seconds,
                                                             chrono::nanoseconds) {
    return wait_once(word, old, limited);
}
MODEL bool __atomic_futex_unsigned_base::_M_futex_wait_until_steady(unsigned *word, unsigned old, bool limited,
                                                                    chrono::seconds, chrono::nanoseconds) {
    return wait_once(word, old, limited);
}
MODEL void __atomic_futex_unsigned_base::_M_futex_notify_all(unsigned *word) {
    __rp_futex_wake(reinterpret_cast<int *>(word), __INT_MAX__);
}

// ---- clocks: any time, without a branch on it, and an hour later at each look (time.c says why) ----

static long long any_nanoseconds() {
    unsigned long long v;
    __rp_havoc(&v, sizeof v);
    return static_cast<long long>(v >> 3) + __rp_hours() * 3600000000000ll;
}
namespace chrono {
inline namespace _V2 {
MODEL system_clock::time_point system_clock::now() noexcept {
    return time_point(duration(any_nanoseconds()));
}
MODEL steady_clock::time_point steady_clock::now() noexcept {
    return time_point(duration(any_nanoseconds()));
}
} // namespace _V2
} // namespace chrono

// ---- random_device: any value ----

MODEL void random_device::_M_init(const string &) {}
MODEL void random_device::_M_init(const char *, size_t) {}
MODEL void random_device::_M_fini() {}
MODEL random_device::result_type random_device::_M_getval() {
    result_type v;
    __rp_havoc(&v, sizeof v);
    return v;
}
MODEL double random_device::_M_getentropy() const noexcept { return 32; }

// ---- atomic access to a shared_ptr: mutexes chosen by address, as libstdc++ does ----

static pthread_mutex_t pool[16];
static unsigned char slot(const void *p) { return (reinterpret_cast<uintptr_t>(p) / 16) % 16; }
MODEL _Sp_locker::_Sp_locker(const void *p) noexcept : _M_key1(slot(p)), _M_key2(16) { pthread_mutex_lock(&pool[_M_key1]); }
MODEL _Sp_locker::_Sp_locker(const void *p, const void *q) noexcept : _M_key1(slot(p)), _M_key2(slot(q)) {
    if (_M_key2 < _M_key1) std::swap(_M_key1, _M_key2);
    pthread_mutex_lock(&pool[_M_key1]);
    if (_M_key2 != _M_key1) pthread_mutex_lock(&pool[_M_key2]);
    else _M_key2 = 16;
}
MODEL _Sp_locker::~_Sp_locker() {
    if (_M_key2 < 16) pthread_mutex_unlock(&pool[_M_key2]);
    pthread_mutex_unlock(&pool[_M_key1]);
}
MODEL bool _Sp_make_shared_tag::_S_eq(const type_info &t) noexcept {
    return t == typeid(_Sp_make_shared_tag);
}
} // namespace std
