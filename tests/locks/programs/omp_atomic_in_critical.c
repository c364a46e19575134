// An atomic update inside of a critical section that all others hold, too.
int main(void) {
    int hits = 0, total = 0;
#pragma omp parallel for
    for (int i = 0; i < 8; i++) {
#pragma omp critical //@ needed race
        {
#pragma omp atomic //@ superfluous
            hits++;
            total += i * (total < 100);
        }
    }
    return hits + total;
}
