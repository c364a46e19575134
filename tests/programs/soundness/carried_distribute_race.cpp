//@ verdict: race
//@ race: x 14 14
//@ about: a team writes only in the second of its iterations, known through a reference
int x;
int main()
{
#pragma omp teams num_teams(2)
    {
        int mine = 0;
        int &r = mine;
#pragma omp distribute
        for (int i = 0; i < 4; i++) {
            if (r == 1)
                x = i;
            r = 1;
        }
    }
}
