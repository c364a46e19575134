//@ verdict: race-free
//@ flags: -std=c++20
//@ fixme: clang copies the padding of a base class, in which another member lies
//@ about: clang copies the padding of a base class, in which another member lies
// B's tail padding (Itanium ABI: B is no POD for layout). Answers: race on d.c by auto, race-graph, lockset. no_unique.free.cpp: the same for [[no_unique_address]].
// Repair: for llvm.memcpy that clang made of a class copy, leave out the bytes that are padding in the LLVM type of the destination's alloca
// (or have clang write !tbaa.struct, -O1 with -disable-llvm-passes, which lists the members).
#include <thread>
struct B { B() {} int x = 0; char y = 0; };
struct D : B { char c = 0; };
D d;
int main() {
    static_assert(sizeof(D) == 8);
    std::thread t([] { B b = d; (void)b.x; });
    d.c = 1;
    t.join();
}
