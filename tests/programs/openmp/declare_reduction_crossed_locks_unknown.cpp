//@ verdict: unknown
//@ reason: synchronises more than once
//@ about: declare reduction: two combiners that take two critical sections in opposite orders could deadlock if they ran at once
struct Part {
    long value;
};

static int calls;

static void combine(Part &out, const Part &in)
{
    if (in.value & 1) {
#pragma omp critical(first)
#pragma omp critical(second)
        calls++;
    } else {
#pragma omp critical(second)
#pragma omp critical(first)
        calls++;
    }
    out.value += in.value;
}
#pragma omp declare reduction(part : Part : combine(omp_out, omp_in)) initializer(omp_priv = Part{0})

int main()
{
    Part total{0};
    long start[2] = {1, 2};
#pragma omp parallel for num_threads(2) schedule(static, 1) reduction(part : total)
    for (int i = 0; i < 2; i++)
        total.value += start[i];
    return 0;
}
