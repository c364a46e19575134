typedef int (*operation)(int);

int data[4];

int main(void) {
    operation run = (operation)(void *)data; // data, not code
    return run(1);
}
