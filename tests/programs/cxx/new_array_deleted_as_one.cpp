//@ verdict: defect
//@ defect: invalid-free 6
//@ about: without replacements, new[] and delete still do not fit
int main() {
    int *p = new int[3];
    delete p;
}
