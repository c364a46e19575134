//@ verdict: defect
//@ defect: invalid-call 9
//@ about: a call through a pointer that points to data
static int table[4];

static int run(void *p)
{
    int (*f)(void) = (int (*)(void))p;
    return f();
}

int main(void)
{
    return run(table);
}
