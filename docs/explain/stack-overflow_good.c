unsigned sum(unsigned n) {
    return n == 0 ? 0 : n + sum(n - 1);
}

int main(void) {
    return (int)sum(3);
}
