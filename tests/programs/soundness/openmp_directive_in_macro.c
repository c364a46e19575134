//@ verdict: race
//@ race: t 14 14
//@ race: t 14 15
//@ about: a directive by _Pragma of a macro's argument: no line of the source has both words
#define DO(x) _Pragma(#x)
#define LOOP DO(omp parallel for)
int a[80];

int main(void)
{
    int t;
    LOOP
    for (int i = 0; i < 80; i++) {
        t = i * 2;
        a[i] = t;
    }
    return 0;
}
