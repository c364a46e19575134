/* race_test.c: functions that POSIX makes safe to call from several threads must not race inside the models. Built with
 * ThreadSanitizer, over the shim's real threads. */
#define _GNU_SOURCE
#include "../rp.h"
#include "shim.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

MODELLED(printf); MODELLED(snprintf); MODELLED(malloc); MODELLED(realloc); MODELLED(free); MODELLED(strtok_r);
MODELLED(localtime_r); MODELLED(gmtime_r); MODELLED(qsort); MODELLED(rand); MODELLED(random); MODELLED(atexit); MODELLED(strerror);
MODELLED(pthread_key_create); MODELLED(pthread_setspecific); MODELLED(pthread_once); MODELLED(sem_open); MODELLED(thrd_create);
MODELLED(thrd_join); MODELLED(sigaction); MODELLED(pthread_sigmask); MODELLED(fputs); MODELLED(strtok); MODELLED(time);
extern int m___isoc99_sscanf(const char *, const char *, ...);
extern int *m___errno_location(void);
extern FILE *m_stdout, *m_stderr;

void __rp_output(int fd, const void *p, size_t n) { (void)fd, (void)p, (void)n; }

static int racy;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int made;
static void make(void) { made = 1; }
static void nothing(void) {}
static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int work(void *arg) {
    char text[64] = "a b c", *rest, *p = m_malloc(10);
    int numbers[5] = {3, 1, 2, 5, 4}, n;
    m_printf("%d %s %5.2f\n", *(int *)arg, "x", 1.5);
    m_fputs("text", m_stderr);
    p = m_realloc(p, 20);
    m_snprintf(p, 20, "%d", 5);
    for (char *t = m_strtok_r(text, " ", &rest); t != NULL; t = m_strtok_r(NULL, " ", &rest)) {}
    m___isoc99_sscanf("17", "%d", &n);
    m_qsort(numbers, 5, sizeof *numbers, ascending);
    struct tm tm;
    time_t now = 12345;
    m_localtime_r(&now, &tm);
    (void)m_time(NULL);
    *m___errno_location() = *(int *)arg;
    (void)m_strerror(*m___errno_location() + 5000);
    m_atexit(nothing);
    pthread_key_t key;
    m_pthread_key_create(&key, NULL);
    m_pthread_setspecific(key, p);
    m_pthread_once(&once, make);
    n += made + m_rand() % 2;
    m_sem_open("/shared", O_CREAT, 0600, 1);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    m_sigaction(SIGUSR1, &ignore, NULL);
    sigset_t set;
    memset(&set, 0, sizeof set);
    m_pthread_sigmask(SIG_BLOCK, &set, NULL);
    m_free(p);
    if (racy) m_strtok(text, " "); /* a race, for the test of this test */
    return n;
}
int main(int argc, char **argv) {
    (void)argv;
    racy = argc > 1;
    thrd_t t[4];
    int ids[4] = {0, 1, 2, 3};
    for (int i = 0; i < 4; i++) m_thrd_create(&t[i], work, &ids[i]);
    for (int i = 0; i < 4; i++) m_thrd_join(t[i], NULL);
    return shim_end();
}
