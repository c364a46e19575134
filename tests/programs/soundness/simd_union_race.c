//@ verdict: race
//@ race: u|u.c[1]|u.w|u.c 12 12
//@ race: u|u.c[1]|u.w|u.c 12 13
//@ about: lanes write a byte of a local union and read the word
int a[8];
int main(void)
{
    union { int w; char c[4]; } u;
    u.w = 0;
#pragma omp simd
    for (int i = 0; i < 8; i++) {
        u.c[1] = 1;
        a[i] = u.w;
    }
    return a[7];
}
