//@ verdict: race-free
//@ flags: -std=c++17
//@ about: a tree of shared_ptr and weak_ptr is summed by two threads
#include <iostream>
#include <memory>
#include <thread>
#include <vector>
struct Node {
    int v;
    std::vector<std::shared_ptr<Node>> out;
    std::weak_ptr<Node> parent;
    explicit Node(int v) : v(v)
    {
    }
    ~Node()
    {
    }
};
static int sum(const std::shared_ptr<Node> &n)
{
    int s = n->v;
    for (auto &c : n->out)
        s += sum(c);
    return s;
}
int main()
{
    auto root = std::make_shared<Node>(1);
    for (int i = 2; i < 4; i++) {
        auto c = std::make_shared<Node>(i);
        c->parent = root;
        root->out.push_back(c);
    }
    int a = 0, b = 0;
    std::thread t([root, &a] {
        a = sum(root);
    });
    std::thread u([root, &b] {
        b = sum(root);
    });
    t.join();
    u.join();
    std::cout << a + b << '\n';
}
