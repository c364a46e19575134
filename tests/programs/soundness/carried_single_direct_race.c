//@ verdict: race
//@ race: x 15 15
//@ about: the same without a pointer, and the private variable is read behind the singles
int x;
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int mine = 0;
#pragma omp single nowait
        mine = 1;
#pragma omp single nowait
        mine = 1;
        if (mine)
            x = 1;
    }
}
