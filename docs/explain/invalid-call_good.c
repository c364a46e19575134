typedef int (*operation)(int);

int twice(int x) {
    return 2 * x;
}

int main(void) {
    operation run = twice;
    return run(1);
}
