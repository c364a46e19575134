//@ verdict: race
//@ race: x 17 17
//@ about: a worksharing loop counts in a private variable whose address a struct in an array of structs holds
struct cell { struct { int *to; } in; };
int x;
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int mine = 0;
        struct cell cells[2];
        cells[0].in.to = 0;
        cells[1].in.to = &mine;
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 4; i++)
            if ((*cells[1].in.to)++)
                x = i;
    }
}
