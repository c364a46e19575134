//@ verdict: race-free
//@ about: std::string: short and long, editing, searching, conversions; one string a thread
#include <cassert>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

static std::string build(const char *word, int n)
{
    std::string s;
    for (int i = 0; i < n; ++i) {
        if (!s.empty())
            s += ", ";
        s.append(word);
    }
    return s;
}

int main()
{
    std::string other;
    std::thread t([&] { other = build("race", 5); });
    std::string s = build("ab", 2);
    t.join();
    assert(other == "race, race, race, race, race" && other.size() == 28);
    assert(s == "ab, ab" && s.find("ab", 1) == 4 && s.rfind(',') == 2 && s.find('z') == std::string::npos);
    s.replace(2, 2, "-----------------");
    s.insert(0, 1, '<');
    s.push_back('>');
    assert(s == "<ab-----------------ab>" && s.substr(1, 2) == "ab");
    s.erase(3, 17);
    assert(s == "<abab>" && s.front() == '<' && s.back() == '>');
    std::string copy = s, moved = std::move(copy);
    assert(moved == s && s < "<b" && s.compare("<abab>") == 0);
    assert(std::stoi("42") + std::stol("-2") == 40 && std::to_string(-17) == "-17" && std::stod("2.5") == 2.5);
    std::string_view v = "key=value";
    assert(v.substr(v.find('=') + 1) == "value");
    std::ostringstream out;
    out << "n=" << 3 << ' ' << 1.5 << ' ' << true;
    assert(out.str() == "n=3 1.5 1");
    std::istringstream in("10 x 2.5");
    int n;
    char c;
    double d;
    in >> n >> c >> d;
    assert(n == 10 && c == 'x' && d == 2.5 && in.eof());
    assert(std::string(3, 'z') + 'y' == "zzzy" && std::string("a\0b", 3).size() == 3);
}
