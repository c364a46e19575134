// Words counted by two threads with std::thread. The total is a plain int that both lambdas capture by reference:
// `raceproof check counter.cpp` reports the race on it. A std::atomic<int>, or adding the parts up after the joins,
// would cure it.
#include <iostream>
#include <string>
#include <thread>
#include <vector>

static int count_words(const std::string &line)
{
    int words = 0;
    bool inside = false;
    for (char c : line) {
        if (c != ' ' && !inside)
            ++words;
        inside = c != ' ';
    }
    return words;
}

int main()
{
    const std::vector<std::string> lines{"the quick brown fox", "jumps over the lazy dog"};
    int total = 0;
    std::vector<std::thread> threads;
    for (const std::string &line : lines)
        threads.emplace_back([&total, &line] { total += count_words(line); });
    for (std::thread &t : threads)
        t.join();
    std::cout << total << " words\n";
}
