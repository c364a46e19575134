/* The runtime that recorded programs are linked with, as one unit: compiled by clang once, kept in the cache. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "layout.h"
#include "replay.h"

#include "core.c"
#include "replay.c"
#include "access.c"
#include "atomics.c"
#include "threads.c"
#include "memory.c"
#include "omp.c"
