// record: race x
#include <threads.h>
int x, y;
static mtx_t m;
static int work(void *arg) {
    mtx_lock(&m);
    y++;
    mtx_unlock(&m);
    x++; //!
    return arg == 0;
}
int main(void) {
    thrd_t t[2];
    mtx_init(&m, mtx_plain);
    for (int i = 0; i < 2; i++) thrd_create(&t[i], work, 0);
    for (int i = 0; i < 2; i++) thrd_join(t[i], 0);
    return 0;
}
