//@ verdict: unknown
//@ reason: the program ended with status 0; it never came to the parallel region in line 8
//@ about: a loop with lastprivate(conditional:) that the run does not come to
int main(int argc, char **argv)
{
    int x = 0;
    if (argc > 5) {
#pragma omp parallel for lastprivate(conditional: x)
        for (int i = 0; i < 4; i++)
            if (i == 1)
                x = i;
    }
    return x + (argv == 0);
}
