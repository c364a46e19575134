//@ verdict: defect
//@ defect: assertion 11
//@ about: the locale that another piece has chosen for the thread
#define _GNU_SOURCE
#include <locale.h>
#include <assert.h>
int main(){ locale_t c=newlocale(LC_ALL_MASK,"C",(locale_t)0);
#pragma omp parallel num_threads(2)
  {
#pragma omp for
    for(int i=0;i<2;i++){ if(i==0) uselocale(c); else { locale_t l=uselocale((locale_t)0); assert(l==LC_GLOBAL_LOCALE); } }
  }
}
