// Work before and after the update that needs the section.
static int weight[8], seen[8];
int main(void) {
    int sum = 0;
#pragma omp parallel for
    for (int i = 0; i < 8; i++) {
#pragma omp critical //@ needed race, shrink
        {
            weight[i] = i * i + 1;
            sum += weight[i];
            sum = sum > 1000 ? 0 : sum;
            seen[i] = 1;
        }
    }
    return sum + seen[0];
}
