//@ verdict: defect
//@ defect: double-free 13
//@ about: two owners delete the same object
struct Node {
    int value;
};

int main()
{
    Node *a = new Node{1};
    Node *b = a;
    delete a;
    delete b;
    return 0;
}
