static int work(int i) { return i * i + 1; }
int best;
int main(void) {
    #pragma omp parallel for
    for (int i = 0; i < 6; i++) {
        #pragma omp critical //@ needed race, shrink
        {
            int t = work(i);
            if (t > best) best = t;
        }
    }
    return 0;
}
