unsigned sum(unsigned n) {
    return n + sum(n - 1); // never ends
}

int main(void) {
    return (int)sum(3);
}
