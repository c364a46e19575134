// A maximum: one atomic update does not do it, and nothing can be moved out.
int main(void) {
    int best = 0;
#pragma omp parallel for
    for (int i = 0; i < 6; i++) {
        int v = i * 7 % 5;
#pragma omp critical //@ needed race
        {
            if (v > best)
                best = v;
        }
    }
    return best;
}
