//@ verdict: defect
//@ defect: write-to-constant 8
//@ about: a const object is modified through a cast
static const int limits[2] = {10, 20};

static void set(const int *p, int v)
{
    *(int *)p = v;
}

int main(void)
{
    set(&limits[1], 30);
    return limits[1] != 30;
}
