/* A small library: what happens if two threads add at the same time? */
static int total;

void tally_add(int n) {
    total += n;
}

int tally_get(void) {
    return total;
}
