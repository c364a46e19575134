//@ verdict: race
//@ race: job.id|this->id|id 8 20
//@ about: task shared over a class object: the creator changes it meanwhile
#include <cstdio>

struct Job {
    int id = 3;
    int doubled() const { return 2 * id; }
};

int main()
{
    Job job;
    int got = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(job, got)
        got = job.doubled();
        job.id = 4;
    }
    std::printf("%d\n", got);
    return 0;
}
