//@ verdict: unknown
//@ reason: may write a variable that belongs to their thread
//@ about: a variable of the thread is shared by the lanes of its iterations (which race); lanes of several pieces are not looked at
int total;
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        struct { int pad, n; } mine = {0, 0}, *p = &mine;
#pragma omp for simd
        for (int i = 0; i < 8; i++)
            p->n += i;
#pragma omp atomic
        total += mine.n;
    }
    return total;
}
