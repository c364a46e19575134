// record: free
#include <unistd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int data, ends[2];
static void *reader(void *arg) {
    char c;
    if (read(ends[0], &c, 1) == 1) printf("%d\n", data);
    return arg;
}
int main(void) {
    pthread_t t;
    if (pipe(ends)) return 1;
    pthread_create(&t, 0, reader, 0);
    data = 9;
    if (write(ends[1], "x", 1) != 1) return 1;
    pthread_join(t, 0);
    return 0;
}
