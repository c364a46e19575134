int hits;
int main(void) {
    #pragma omp parallel
    {
        #pragma omp critical(h) //@ needed race, atomic
        hits += 2;
        #pragma omp critical(h) //@ needed race, atomic
        { hits++; }
    }
    return 0;
}
