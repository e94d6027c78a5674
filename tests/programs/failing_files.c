/* Put before the C library by LD_PRELOAD: calls on files whose names say so fail. "data.fail.pwritev.122.1048576" is a
 * file whose bytes from 1048576 on pwritev does not write, with errno 122; the number at the end may be left out. What
 * is known by the name alone works in every process that has the file open, that of mpiexec included. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int fails(const char* path, const char* call, long long* from) {
  char wanted[50];
  const int length = snprintf(wanted, sizeof wanted, ".fail.%s.", call);
  const char* at = strstr(path, wanted);
  if (at == NULL) return 0;
  char* end;
  const int number = (int)strtol(at + length, &end, 10);
  *from = *end == '.' ? atoll(end + 1) : 0;
  return number;
}

static int fails_at(int fd, const char* call, long long* from) {
  char link[40], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const long n = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (n < 0) return 0;
  path[n] = 0;
  return fails(path, call, from);
}

/* Those of `parts` that begin before a failing place, the last one cut; -1: nothing does. */
static long move(long call, const char* name, int fd, const struct iovec* parts, int count, off_t at) {
  long long from;
  const int number = fails_at(fd, name, &from);
  if (number == 0) return syscall(call, fd, parts, count, at, 0L);
  struct iovec good[IOV_MAX];
  int n = 0;
  for (long long left = from - at; n < count && left > 0; left -= (long long)good[n++].iov_len) {
    good[n] = parts[n];
    if ((long long)good[n].iov_len > left) good[n].iov_len = (size_t)left;
  }
  if (n > 0) return syscall(call, fd, good, n, at, 0L);
  errno = number;
  return -1;
}

ssize_t pwritev(int fd, const struct iovec* parts, int count, off_t at) {
  return move(SYS_pwritev, "pwritev", fd, parts, count, at);
}
ssize_t preadv(int fd, const struct iovec* parts, int count, off_t at) {
  return move(SYS_preadv, "preadv", fd, parts, count, at);
}

/* `real` unless the call is to fail. */
#define OR_FAIL(number, real)      \
  do {                             \
    const int number_ = number;    \
    if (number_ == 0) return real; \
    errno = number_;               \
    return -1;                     \
  } while (0)

static long long unused;

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, int) : 0;
  va_end(more);
  OR_FAIL(fails(path, "open", &unused), (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
int ftruncate(int fd, off_t bytes) {
  OR_FAIL(fails_at(fd, "ftruncate", &unused), (int)syscall(SYS_ftruncate, fd, bytes));
}
int fallocate(int fd, int mode, off_t from, off_t bytes) {
  OR_FAIL(fails_at(fd, "fallocate", &unused), (int)syscall(SYS_fallocate, fd, mode, from, bytes));
}
int fsync(int fd) {
  OR_FAIL(fails_at(fd, "fsync", &unused), (int)syscall(SYS_fsync, fd));
}
int close(int fd) {
  const int number = fails_at(fd, "close", &unused);
  const int result = (int)syscall(SYS_close, fd);
  OR_FAIL(number, result);
}
int unlink(const char* path) {
  OR_FAIL(fails(path, "unlink", &unused), (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}

ssize_t pwritev64(int, const struct iovec*, int, off_t) __attribute__((alias("pwritev")));
ssize_t preadv64(int, const struct iovec*, int, off_t) __attribute__((alias("preadv")));
int open64(const char*, int, ...) __attribute__((alias("open")));
int ftruncate64(int, off_t) __attribute__((alias("ftruncate")));
int fallocate64(int, int, off_t, off_t) __attribute__((alias("fallocate")));
