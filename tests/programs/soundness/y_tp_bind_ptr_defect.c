//@ verdict: defect
//@ defect: uninitialised-pointer 11
//@ about: threadprivate variables do not persist between these regions
#include <stdlib.h>
int *tp;
#pragma omp threadprivate(tp)
int main(){
#pragma omp parallel num_threads(2) proc_bind(spread)
 tp=malloc(4);
#pragma omp parallel num_threads(2) proc_bind(primary)
 *tp=1;
}
