//@ verdict: race
//@ races: at-least
//@ flags: -std=c++20
//@ fixme: the end of a member is not seen where its destructor does nothing
//@ about: the end of a member is not seen where its destructor does nothing
// the end of a C++ object's lifetime counts only when its storage ends.
#include <thread>
#include <string>
struct A { std::jthread t; std::string s = "a long string that is on the heap"; A() { t = std::jthread([this] { (void)s.size(); }); } };
int main() { A a; }
