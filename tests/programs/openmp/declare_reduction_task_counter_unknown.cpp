//@ verdict: unknown
//@ reason: the combiner of a task reduction writes
//@ about: declare reduction with tasks: when their results are combined is open, so a counter in the combiner may be shared
struct Part {
    long value;
};

static int calls;

static void combine(Part &out, const Part &in)
{
    calls++;
    out.value += in.value;
}
#pragma omp declare reduction(part : Part : combine(omp_out, omp_in)) initializer(omp_priv = Part{0})

int main()
{
    Part total{0};
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup task_reduction(part : total)
    {
        for (int i = 0; i < 2; i++)
#pragma omp task in_reduction(part : total)
            total.value += i;
    }
    return 0;
}
