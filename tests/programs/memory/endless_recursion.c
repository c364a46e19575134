//@ verdict: defect
//@ defect: stack-overflow 4
//@ about: a recursion that does not end before the stack does
static int depth(int n) { return n < 0 ? 0 : depth(n + 1) + 1; }

int main(void)
{
    return depth(0);
}
