int main(void) {
    char name[] = "raceproof"; // a copy of its own
    name[0] = 'R';
    return 0;
}
