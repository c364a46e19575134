//@ verdict: race
//@ race: last 19 19
//@ options: --threads 2
//@ about: how a loop is shared out among the teams says nothing about the next one
int main(void) {
#pragma omp teams num_teams(2) thread_limit(2)
    {
        int count = 0;
#pragma omp distribute parallel for num_threads(2)
        for (int i = 0; i < 2; i++) {
#pragma omp atomic
            count++;
        }
        int mine = count, last = 0;
        // One iteration came to this team; of the second loop both may.
#pragma omp distribute parallel for num_threads(2)
        for (int i = 0; i < 2; i++) {
            if (mine == 1)
                last = i;
        }
    }
    return 0;
}
