// cxx_race_test.cpp: what the standard lets threads do together must not race inside the models. Built with
// ThreadSanitizer, which makes the exit code non-zero if it sees a race.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <vector>

static std::mutex m;
static std::condition_variable changed;
static int stage;
static int racy;
static std::string &shared_static() {
    static std::string s = "made once";
    return s;
}
static std::once_flag once;
static int made;

static void work(int id) {
    std::cout << "thread " << id << ' ' << 2.5 << true << std::string("text") << (void *)&id << std::endl;
    std::cerr << "error " << id << '\n';
    std::clog << "log " << 1u << 2l << '\n';
    std::ostringstream os;
    os << id << std::hex << 255 << shared_static();
    std::istringstream is("12 word 2.5");
    int n;
    std::string w;
    double d;
    is >> n >> w >> d;
    std::map<int, std::string> mine{{id, w}};
    std::unordered_map<std::string, int> table{{w, n}};
    mine.erase(id);
    try {
        throw std::system_error(std::make_error_code(std::errc::invalid_argument), w);
    } catch (const std::exception &e) {
        table[e.what()]++;
    }
    std::call_once(once, [] { made = 1; });
    if (made != 1) std::abort();
    (void)std::chrono::steady_clock::now();
    (void)std::random_device{}();
    {
        std::lock_guard hold(m);
        stage++;
    }
    changed.notify_all();
    std::unique_lock hold(m);
    changed.wait(hold, [] { return stage == 4; });
}
int main(int argc, char **) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) threads.emplace_back(work, i);
    for (auto &t : threads) t.join();
    std::promise<std::string> p;
    auto f = p.get_future();
    std::thread setter([&] { p.set_value("value"); });
    auto task = std::async(std::launch::async, [] { return std::make_shared<int>(7); });
    std::cout << f.get() << *task.get() << std::endl;
    setter.join();
    if (argc > 1) { // a race, for the test of this test
        std::thread other([] { racy++; });
        racy++;
        other.join();
    }
    const char said[] = "no races, 0 failures\n";
    return write(1, said, sizeof said - 1) < 0;
}
