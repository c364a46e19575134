/* Allocation: the same address is another object afterwards, and freeing is a write to all of it. Files, pipes and sockets:
 * what is written before is before what is read. */

extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static inline void rp_allocated(u64 pc, void *at, u64 size) {
  struct rp_thread *t = rp_self;
  if (unlikely(!t) && !atomic_load_explicit(&rp_off, memory_order_relaxed)) t = rp_begin();
  if (at && t && !t->busy) rp_sync(t, pc, OP_ALLOC, (u64)at, size, 0);
}
static inline void rp_freed(u64 pc, void *at) {
  struct rp_thread *t = rp_self;
  if (at && t && t != &rp_nobody && !t->busy) rp_sync(t, pc, OP_FREE, (u64)at, malloc_usable_size(at), 0);
}

EXPORT void *malloc(size_t size) {
  void *at = __libc_malloc(size);
  rp_allocated(CALLER, at, size);
  return at;
}
EXPORT void *calloc(size_t count, size_t size) {
  void *at = __libc_calloc(count, size);
  rp_allocated(CALLER, at, count * size);
  return at;
}
EXPORT void free(void *at) {
  rp_freed(CALLER, at);
  __libc_free(at);
}
EXPORT void *realloc(void *old, size_t size) {
  rp_freed(CALLER, old);
  void *at = __libc_realloc(old, size);
  if (!at && size && old) rp_allocated(CALLER, old, malloc_usable_size(old));
  rp_allocated(CALLER, at, size);
  return at;
}
EXPORT void *memalign(size_t alignment, size_t size) {
  void *at = __libc_memalign(alignment, size);
  rp_allocated(CALLER, at, size);
  return at;
}
EXPORT void *valloc(size_t size) { return memalign(4096, size); }
EXPORT void *pvalloc(size_t size) { return memalign(4096, (size + 4095) / 4096 * 4096); }
EXPORT void *aligned_alloc(size_t alignment, size_t size) {
  void *at = __libc_memalign(alignment, size);
  rp_allocated(CALLER, at, size);
  return at;
}
EXPORT int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || !alignment || alignment & (alignment - 1)) return EINVAL;
  void *at = __libc_memalign(alignment, size);
  if (!at) return ENOMEM;
  rp_allocated(CALLER, at, size);
  *result = at;
  return 0;
}

EXPORT void *mmap(void *wanted, size_t size, int protection, int flags, int fd, off_t offset) {
  long at = rp_syscall(SYS_mmap, (long)wanted, (long)size, protection, flags, fd, offset);
  if (at < 0 && at > -4096) {
    errno = (int)-at;
    return MAP_FAILED;
  }
  rp_allocated(CALLER, (void *)at, size);
  return (void *)at;
}
EXPORT void *mmap64(void *wanted, size_t size, int protection, int flags, int fd, off_t offset) {
  return mmap(wanted, size, protection, flags, fd, offset);
}
EXPORT int munmap(void *at, size_t size) {
  struct rp_thread *t = rp_self;
  if (t && t != &rp_nobody && !t->busy) rp_sync(t, CALLER, OP_FREE, (u64)at, size, 1);
  long failed = rp_syscall(SYS_munmap, (long)at, (long)size, 0, 0, 0, 0);
  if (!failed) return 0;
  errno = (int)-failed;
  return -1;
}

/* One object stands for all pipes, sockets and event counters: more order than there is, never less. */
static u64 rp_talks(int fd) {
  struct stat about;
  if (!rp_self || rp_self == &rp_nobody || rp_self->busy || fd < 3) return 0;
  if (rp_syscall(SYS_fstat, fd, (long)&about, 0, 0, 0, 0)) return 0;
  return S_ISREG(about.st_mode) || S_ISDIR(about.st_mode) || S_ISCHR(about.st_mode) ? 0 : 16;
}
static void rp_tells(u64 pc, int fd) {
  u64 object = rp_talks(fd);
  if (object) rp_sync(rp_me(), pc, OP_NOTIFY, object, 0, 0);
}
static ssize_t rp_heard(u64 pc, int fd, ssize_t result) {
  int error = errno;
  u64 object = result >= 0 ? rp_talks(fd) : 0;
  if (object) rp_sync(rp_me(), pc, OP_WAIT, object, 0, 0);
  errno = error;
  return result;
}
#define SENDS(name, parameters, arguments)                                                                             \
  EXPORT ssize_t name parameters {                                                                                     \
    static ssize_t(*real) parameters;                                                                                  \
    if (!real) real = (ssize_t(*) parameters)dlsym(RTLD_NEXT, #name);                                                  \
    rp_tells(CALLER, fd);                                                                                              \
    return real arguments;                                                                                             \
  }
#define RECEIVES(name, parameters, arguments)                                                                          \
  EXPORT ssize_t name parameters {                                                                                     \
    static ssize_t(*real) parameters;                                                                                  \
    if (!real) real = (ssize_t(*) parameters)dlsym(RTLD_NEXT, #name);                                                  \
    return rp_heard(CALLER, fd, real arguments);                                                                       \
  }
SENDS(write, (int fd, const void *b, size_t n), (fd, b, n))
SENDS(writev, (int fd, const struct iovec *v, int n), (fd, v, n))
SENDS(send, (int fd, const void *b, size_t n, int f), (fd, b, n, f))
SENDS(sendto, (int fd, const void *b, size_t n, int f, const struct sockaddr *a, socklen_t l), (fd, b, n, f, a, l))
SENDS(sendmsg, (int fd, const struct msghdr *m, int f), (fd, m, f))
RECEIVES(read, (int fd, void *b, size_t n), (fd, b, n))
RECEIVES(readv, (int fd, const struct iovec *v, int n), (fd, v, n))
RECEIVES(recv, (int fd, void *b, size_t n, int f), (fd, b, n, f))
RECEIVES(recvfrom, (int fd, void *b, size_t n, int f, struct sockaddr *a, socklen_t *l), (fd, b, n, f, a, l))
RECEIVES(recvmsg, (int fd, struct msghdr *m, int f), (fd, m, f))

EXPORT pid_t fork(void) {
  static pid_t (*real)(void);
  if (!real) real = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
  pid_t child = real();
  if (child > 0) rp_sync(rp_me(), CALLER, OP_FORKED_PROCESS, 0, (u64)child, 0);
  return child;
}
