//@ verdict: race-free
//@ about: virtual calls, multiple and virtual inheritance, dynamic_cast, typeid, pure virtuals, virtual destructors
#include <cassert>
#include <memory>
#include <string>
#include <thread>
#include <typeinfo>
#include <vector>

static int destroyed = 0;

struct Shape {
    virtual ~Shape() { ++destroyed; }
    virtual double area() const = 0;
    virtual std::string name() const { return "shape"; }
};
struct Square : Shape {
    double side;
    explicit Square(double s) : side(s) {}
    double area() const override { return side * side; }
    std::string name() const override { return "square"; }
};
struct Labelled {
    int label = 7;
    virtual ~Labelled() = default;
    virtual int tag() const { return label; }
};
struct Circle final : Shape, Labelled {
    double radius;
    explicit Circle(double r) : radius(r) { label = 8; }
    double area() const override { return 3 * radius * radius; }
    int tag() const override { return label * 10; }
};
struct Base {
    int id = 1;
};
struct Left : virtual Base {};
struct Right : virtual Base {};
struct Diamond : Left, Right {
    Diamond() { id = 5; }
};

static double sum(const std::vector<std::unique_ptr<Shape>> &shapes)
{
    double total = 0;
    for (const auto &s : shapes)
        total += s->area();
    return total;
}

int main()
{
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.push_back(std::make_unique<Square>(2));
    shapes.push_back(std::make_unique<Circle>(1));
    double other = 0;
    std::thread t([&] { other = sum(shapes); });
    double mine = sum(shapes);
    t.join();
    assert(mine == 7 && other == 7);
    Shape *s = shapes[1].get();
    Labelled *l = dynamic_cast<Labelled *>(s);
    assert(l && l->tag() == 80 && dynamic_cast<Shape *>(l) == s);
    assert(!dynamic_cast<Square *>(s) && typeid(*s) == typeid(Circle) && typeid(*s) != typeid(Square));
    assert(shapes[0]->name() == "square" && s->name() == "shape");
    Diamond d;
    assert(static_cast<Left &>(d).id == 5 && &static_cast<Left &>(d).id == &static_cast<Right &>(d).id);
    shapes.clear();
    assert(destroyed == 2);
}
