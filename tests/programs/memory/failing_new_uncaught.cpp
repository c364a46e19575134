//@ verdict: defect
//@ defect: abort 8
//@ options: --allocation may-fail
//@ flags: -std=c++17
//@ about: with --allocation may-fail a new that nobody guards ends the program
int main() {

    delete new int(2);
}
