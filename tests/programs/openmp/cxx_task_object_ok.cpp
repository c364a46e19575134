//@ verdict: race-free
//@ about: task firstprivate over a class object: copied when the task is made
#include <cassert>

struct Job {
    int id;
    int *result;
    explicit Job(int i, int *r) : id(i), result(r) {}
    Job(const Job &other) : id(other.id), result(other.result) {}
    void run() { result[id] = id * id; }
};

int main()
{
    int result[40];
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 40; i++) {
            Job job(i, result);
#pragma omp task firstprivate(job)
            job.run();
            job.id = -1;
        }
    }
    for (int i = 0; i < 40; i++)
        assert(result[i] == i * i);
    return 0;
}
