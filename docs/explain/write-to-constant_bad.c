int main(void) {
    char *name = "raceproof"; // a constant, whatever the pointer's type says
    name[0] = 'R';
    return 0;
}
