int registers[4];

int main(void) {
    int *device = &registers[0];
    return *device;
}
