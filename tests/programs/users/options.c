//@ verdict: race-free
//@ about: getopt_long, then as many threads as it says
#include <getopt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int verbose, n = 2;
static const char *name = "x";
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done;
static void *w(void *a)
{
    pthread_mutex_lock(&m);
    done++;
    if (verbose)
        fprintf(stderr, "%s %d\n", name, done);
    pthread_mutex_unlock(&m);
    return a;
}
int main(int argc, char **argv)
{
    static struct option lo[] = {{"verbose", no_argument, 0, 'v'},
                                 {"threads", required_argument, 0, 't'},
                                 {"name", required_argument, 0, 'n'},
                                 {0, 0, 0, 0}};
    int c;
    while ((c = getopt_long(argc, argv, "vt:n:", lo, NULL)) != -1)
        switch (c) {
        case 'v':
            verbose = 1;
            break;
        case 't':
            n = (int)strtol(optarg, NULL, 10);
            break;
        case 'n':
            name = optarg;
            break;
        default:
            fprintf(stderr, "usage: %s [-v] [-t n]\n", argv[0]);
            exit(EXIT_FAILURE);
        }
    pthread_t *t = malloc(n * sizeof *t);
    for (int i = 0; i < n; i++)
        if (pthread_create(&t[i], NULL, w, NULL)) {
            perror("pthread_create");
            return 1;
        }
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    printf("%d done\n", done);
    free(t);
}
