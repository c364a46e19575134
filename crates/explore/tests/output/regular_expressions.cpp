#include <iostream>
#include <regex>
#include <string>

int main()
{
    std::regex pair("(\\w+)=(\\d+)");
    std::smatch match;
    std::string text = "width=42";
    if (std::regex_match(text, match, pair))
        std::cout << match[1] << ' ' << match[2] << '\n';
    std::cout << std::regex_replace(std::string("a1b22"), std::regex("[0-9]+"), "#") << '\n';
    return 0;
}
