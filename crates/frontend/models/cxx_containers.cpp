// cxx_containers.cpp: the out-of-line algorithms of libstdc++'s node containers: red-black trees (map, set), doubly linked
// lists, and the growth policy and hash function of the unordered containers.
#include "rp_cxx.h"
#include <list>
#include <map>
#include <string>
#include <unordered_map>

namespace std {

// ---- red-black trees (Cormen et al., Introduction to Algorithms, chapter 13). A tree's header node holds the root as its
// parent, and the first and last nodes as its left and right children; the root's parent is the header; leaves are null. ----

using node = _Rb_tree_node_base;

static node *minimum(node *x) {
    while (x->_M_left != nullptr) x = x->_M_left;
    return x;
}
static node *maximum(node *x) {
    while (x->_M_right != nullptr) x = x->_M_right;
    return x;
}
static node *next(node *x) noexcept {
    if (x->_M_right != nullptr) return minimum(x->_M_right);
    node *up = x->_M_parent;
    while (x == up->_M_right) {
        x = up;
        up = up->_M_parent;
    }
    // Incrementing the last node ends at the header; with a tree of one node `x` is already the header then.
    return x->_M_right != up ? up : x;
}
static node *previous(node *x) noexcept {
    // The header is the only red node that is its grandparent: going back from end() gives the last node.
    if (x->_M_color == _S_red && x->_M_parent->_M_parent == x) return x->_M_right;
    if (x->_M_left != nullptr) return maximum(x->_M_left);
    node *up = x->_M_parent;
    while (x == up->_M_left) {
        x = up;
        up = up->_M_parent;
    }
    return up;
}
MODEL node *_Rb_tree_increment(node *x) noexcept { return next(x); }
MODEL const node *_Rb_tree_increment(const node *x) noexcept { return next(const_cast<node *>(x)); }
MODEL node *_Rb_tree_decrement(node *x) noexcept { return previous(x); }
MODEL const node *_Rb_tree_decrement(const node *x) noexcept { return previous(const_cast<node *>(x)); }

// Where the tree holds the pointer to x.
static node *&place_of(node *x, node &header) {
    if (header._M_parent == x) return header._M_parent;
    return x->_M_parent->_M_left == x ? x->_M_parent->_M_left : x->_M_parent->_M_right;
}
static void rotate_left(node *x, node &header) {
    node *y = x->_M_right;
    node *&place = place_of(x, header);
    x->_M_right = y->_M_left;
    if (y->_M_left != nullptr) y->_M_left->_M_parent = x;
    y->_M_parent = x->_M_parent;
    place = y;
    y->_M_left = x;
    x->_M_parent = y;
}
static void rotate_right(node *x, node &header) {
    node *y = x->_M_left;
    node *&place = place_of(x, header);
    x->_M_left = y->_M_right;
    if (y->_M_right != nullptr) y->_M_right->_M_parent = x;
    y->_M_parent = x->_M_parent;
    place = y;
    y->_M_right = x;
    x->_M_parent = y;
}
static void rotate(node *x, bool left, node &header) {
    if (left) rotate_left(x, header);
    else rotate_right(x, header);
}
static bool is_red(const node *x) { return x != nullptr && x->_M_color == _S_red; }

// Restores the colours above a new red node.
static void repair_insertion(node *x, node &header) {
    while (x != header._M_parent && is_red(x->_M_parent)) {
        node *parent = x->_M_parent, *grand = parent->_M_parent;
        bool left = parent == grand->_M_left;
        node *uncle = left ? grand->_M_right : grand->_M_left;
        if (is_red(uncle)) {
            parent->_M_color = uncle->_M_color = _S_black;
            grand->_M_color = _S_red;
            x = grand;
            continue;
        }
        if (x == (left ? parent->_M_right : parent->_M_left)) {
            x = parent;
            rotate(x, left, header);
        }
        x->_M_parent->_M_color = _S_black;
        grand->_M_color = _S_red;
        rotate(grand, !left, header);
    }
    header._M_parent->_M_color = _S_black;
}
MODEL void _Rb_tree_insert_and_rebalance(const bool left, node *x, node *parent, node &header) noexcept {
    x->_M_parent = parent;
    x->_M_left = x->_M_right = nullptr;
    x->_M_color = _S_red;
    if (parent == &header) {
        header._M_parent = header._M_left = header._M_right = x;
    } else if (left) {
        parent->_M_left = x;
        if (parent == header._M_left) header._M_left = x;
    } else {
        parent->_M_right = x;
        if (parent == header._M_right) header._M_right = x;
    }
    repair_insertion(x, header);
}

// Restores the black heights where x (perhaps null), the child of parent, is one black node short.
static void repair_removal(node *x, node *parent, node &header) {
    while (x != header._M_parent && !is_red(x)) {
        bool left = x == parent->_M_left;
        node *sibling = left ? parent->_M_right : parent->_M_left;
        if (is_red(sibling)) {
            sibling->_M_color = _S_black;
            parent->_M_color = _S_red;
            rotate(parent, left, header);
            sibling = left ? parent->_M_right : parent->_M_left;
        }
        node *near = left ? sibling->_M_left : sibling->_M_right, *far = left ? sibling->_M_right : sibling->_M_left;
        if (!is_red(near) && !is_red(far)) {
            sibling->_M_color = _S_red;
            x = parent;
            parent = parent->_M_parent;
            continue;
        }
        if (!is_red(far)) {
            near->_M_color = _S_black;
            sibling->_M_color = _S_red;
            rotate(sibling, !left, header);
            sibling = left ? parent->_M_right : parent->_M_left;
            far = left ? sibling->_M_right : sibling->_M_left;
        }
        sibling->_M_color = parent->_M_color;
        parent->_M_color = _S_black;
        far->_M_color = _S_black;
        rotate(parent, left, header);
        return;
    }
    if (x != nullptr) x->_M_color = _S_black;
}
// Puts `in` where `out` was, below out's parent.
static void replace(node *out, node *in, node &header) {
    place_of(out, header) = in;
    if (in != nullptr) in->_M_parent = out->_M_parent;
}
MODEL node *_Rb_tree_rebalance_for_erase(node *const z, node &header) noexcept {
    node *child, *parent;
    auto removed = z->_M_color;
    if (header._M_left == z) header._M_left = z->_M_right != nullptr ? minimum(z->_M_right) : z->_M_parent;
    if (header._M_right == z) header._M_right = z->_M_left != nullptr ? maximum(z->_M_left) : z->_M_parent;
    if (z->_M_left == nullptr || z->_M_right == nullptr) {
        child = z->_M_left != nullptr ? z->_M_left : z->_M_right;
        parent = z->_M_parent;
        replace(z, child, header);
    } else {
        node *successor = minimum(z->_M_right); // takes z's place and colour
        removed = successor->_M_color;
        child = successor->_M_right;
        parent = successor;
        if (successor->_M_parent != z) {
            parent = successor->_M_parent;
            replace(successor, child, header);
            successor->_M_right = z->_M_right;
            successor->_M_right->_M_parent = successor;
        }
        replace(z, successor, header);
        successor->_M_left = z->_M_left;
        successor->_M_left->_M_parent = successor;
        successor->_M_color = z->_M_color;
    }
    if (removed == _S_black) repair_removal(child, parent, header);
    return z;
}
MODEL unsigned _Rb_tree_black_count(const node *x, const node *root) noexcept {
    unsigned n = 0;
    for (; x != nullptr; x = x->_M_parent) {
        n += x->_M_color == _S_black;
        if (x == root) break;
    }
    return n;
}

// ---- lists ----

namespace __detail {
MODEL void _List_node_base::_M_hook(_List_node_base *const at) noexcept {
    _M_next = at;
    _M_prev = at->_M_prev;
    at->_M_prev->_M_next = this;
    at->_M_prev = this;
}
MODEL void _List_node_base::_M_unhook() noexcept {
    _M_prev->_M_next = _M_next;
    _M_next->_M_prev = _M_prev;
}
// Moves the nodes [first, last) before this one.
MODEL void _List_node_base::_M_transfer(_List_node_base *const first, _List_node_base *const last) noexcept {
    if (this == last || first == last) return;
    _List_node_base *tail = last->_M_prev;
    first->_M_prev->_M_next = last;
    last->_M_prev = first->_M_prev;
    first->_M_prev = _M_prev;
    _M_prev->_M_next = first;
    tail->_M_next = this;
    _M_prev = tail;
}
MODEL void _List_node_base::_M_reverse() noexcept {
    _List_node_base *x = this;
    do {
        _List_node_base *after = x->_M_next;
        x->_M_next = x->_M_prev;
        x->_M_prev = after;
        x = after;
    } while (x != this);
}
// After its pointers came from another list's head, makes the neighbours (or, if that was empty, itself) agree.
static void settle(_List_node_base &head, const _List_node_base &old) {
    if (head._M_next == &old) {
        head._M_next = head._M_prev = &head;
    } else {
        head._M_next->_M_prev = &head;
        head._M_prev->_M_next = &head;
    }
}
MODEL void _List_node_base::swap(_List_node_base &a, _List_node_base &b) noexcept {
    std::swap(a._M_next, b._M_next);
    std::swap(a._M_prev, b._M_prev);
    settle(a, b);
    settle(b, a);
}

// ---- unordered containers ----

// Primes that roughly double: enough for any table that can be interpreted.
static const unsigned primes[] = {2, 3, 5, 7, 11, 29, 59, 127, 251, 487, 929, 1777, 3389, 6449, 12263, 23311, 44351,
                                  84299, 160183, 304357, 578297, 1098787, 2087711, 3966689, 7536757, 14319847,
                                  27207727, 51694691, 98219917, 186617863, 354573977, 673690583, 1280012131};

static size_t floor_of(double v) { return static_cast<size_t>(v); }
MODEL size_t _Prime_rehash_policy::_M_next_bkt(size_t n) const {
    for (unsigned prime : primes) {
        if (prime < n) continue;
        _M_next_resize = floor_of(prime * static_cast<double>(_M_max_load_factor));
        return prime;
    }
    __rp_unsupported("an unordered container of more than 800 million buckets");
}
// Whether `added` more elements need a larger table, and its size.
MODEL pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets, size_t elements, size_t added) const {
    if (elements + added <= _M_next_resize) return {false, 0};
    size_t wanted = elements + added;
    if (_M_next_resize == 0 && wanted < 11) wanted = 11; // the first table is not tiny
    double need = wanted / static_cast<double>(_M_max_load_factor);
    if (need < static_cast<double>(buckets)) {
        _M_next_resize = floor_of(buckets * static_cast<double>(_M_max_load_factor));
        return {false, 0};
    }
    size_t least = floor_of(need) + 1;
    return {true, _M_next_bkt(least > 2 * buckets ? least : 2 * buckets)};
}
} // namespace __detail

// FNV-1a; the standard leaves the hash function open.
static size_t fnv(const void *p, size_t n, size_t seed) {
    uint64_t h = 14695981039346656037ull ^ seed;
    const unsigned char *bytes = static_cast<const unsigned char *>(p);
    for (size_t i = 0; i < n; i++) h = (h ^ bytes[i]) * 1099511628211ull;
    return static_cast<size_t>(h ^ h >> 32);
}
MODEL size_t _Hash_bytes(const void *p, size_t n, size_t seed) { return fnv(p, n, seed); }
MODEL size_t _Fnv_hash_bytes(const void *p, size_t n, size_t seed) { return fnv(p, n, seed); }
MODEL size_t hash<long double>::operator()(long double v) const noexcept {
    return v != 0 ? fnv(&v, 10, 0) : 0; // the value's ten bytes, without the padding
}
} // namespace std
