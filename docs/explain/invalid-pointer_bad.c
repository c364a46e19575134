int main(void) {
    int *device = (int *)0x40000000000; // no object of the program lies there
    return *device;
}
