/* Kernels for the cost of recording, two threads each: -DKERNEL=1 to 8. Used by bench/record.sh. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 2
static pthread_barrier_t barrier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static long sum;

#if KERNEL == 1 /* a stencil over an array: 40 million accesses */
#define N 100000
static double a[N + 2], b[N + 2];
static void work(long me) {
  long from = 1 + me * N / THREADS, to = 1 + (me + 1) * N / THREADS;
  for (int round = 0; round < 100; round++) {
    for (long i = from; i < to; i++) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
    pthread_barrier_wait(&barrier);
    for (long i = from; i < to; i++) a[i] = b[i];
    pthread_barrier_wait(&barrier);
  }
}
#elif KERNEL == 2 /* a million short critical sections */
static void work(long me) {
  for (int i = 0; i < 500000; i++) {
    pthread_mutex_lock(&lock);
    sum += me;
    pthread_mutex_unlock(&lock);
  }
}
#elif KERNEL == 3 /* ten million random accesses */
static int table[1 << 20];
static void work(long me) {
  unsigned x = 12345 + (unsigned)me;
  for (int i = 0; i < 5000000; i++) {
    x = x * 1664525 + 1013904223;
    table[(unsigned)me << 19 | x >> 13]++;
  }
}
#elif KERNEL == 4 /* a queue with a condition variable */
static int queue[64], head, tail;
static void work(long me) {
  for (int i = 0; i < 100000; i++) {
    pthread_mutex_lock(&lock);
    if (me) {
      while (tail - head == 64) pthread_cond_wait(&changed, &lock);
      queue[tail++ % 64] = i;
    } else {
      while (tail == head) pthread_cond_wait(&changed, &lock);
      sum += queue[head++ % 64];
    }
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
}
#elif KERNEL == 5 /* atomic updates */
static atomic_long counter;
static void work(long me) {
  for (int i = 0; i < 1000000; i++) atomic_fetch_add(&counter, me);
}
#elif KERNEL == 6 /* a product of matrices */
#define N 220
static double a[N][N], b[N][N], c[N][N];
static void work(long me) {
  for (long i = me; i < N; i += THREADS)
    for (int j = 0; j < N; j++) {
      double s = 0;
      for (int k = 0; k < N; k++) s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
}
#elif KERNEL == 7 /* trees in the heap */
struct node {
  struct node *left, *right;
  long value;
};
static struct node *grow(int depth) {
  struct node *n = malloc(sizeof *n);
  n->left = depth ? grow(depth - 1) : 0;
  n->right = depth ? grow(depth - 1) : 0;
  n->value = depth;
  return n;
}
static long fell(struct node *n) {
  if (!n) return 0;
  long s = fell(n->left) + fell(n->right) + n->value;
  free(n);
  return s;
}
static void work(long me) {
  long s = 0;
  for (int round = 0; round < 5; round++) s += fell(grow(15));
  pthread_mutex_lock(&lock);
  sum += s + me;
  pthread_mutex_unlock(&lock);
}
#else /* a histogram with a lock for each part */
static pthread_mutex_t locks[64];
static int counts[64 * 16];
static void work(long me) {
  unsigned x = 99 + (unsigned)me;
  for (int i = 0; i < 500000; i++) {
    x = x * 1664525 + 1013904223;
    unsigned bin = x >> 22, part = bin / 16;
    pthread_mutex_lock(&locks[part]);
    counts[bin]++;
    pthread_mutex_unlock(&locks[part]);
  }
}
#endif

static void *thread(void *number) {
  work((long)number);
  return 0;
}

int main(void) {
#if KERNEL == 8
  for (int i = 0; i < 64; i++) pthread_mutex_init(&locks[i], 0);
#endif
  pthread_t t[THREADS];
  pthread_barrier_init(&barrier, 0, THREADS);
  for (long i = 0; i < THREADS; i++) pthread_create(&t[i], 0, thread, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], 0);
  printf("%ld\n", sum);
  return 0;
}
