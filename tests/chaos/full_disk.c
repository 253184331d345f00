/* Loaded into a process by LD_PRELOAD: while a file of one name exists, no file of one folder grows, as on a full disk.

   FF_DISK         the folder: absolute, without symbolic links
   FF_DISK_IS_FULL the name of the file that says so

   What a file has already is written as ever, since its blocks are there. What would make it longer finds no room. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static const char *disk, *is_full;
static size_t disk_length;

__attribute__((constructor)) static void begin(void)
{
    const char *folder = getenv("FF_DISK"), *name = getenv("FF_DISK_IS_FULL");
    if (!folder || !name)
        return;
    disk = strdup(folder); /* PostgreSQL writes the titles of its processes over its variables */
    is_full = strdup(name);
    disk_length = strlen(disk);
}

static int finds_no_room(int descriptor, off_t end)
{
    int kept = errno;
    int none = 0;
    struct stat found;
    if (disk && is_full && access(is_full, F_OK) == 0 && fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode)
        && end > found.st_size) {
        char link[64], path[PATH_MAX];
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        ssize_t length = readlink(link, path, sizeof path);
        none = length > (ssize_t)disk_length && strncmp(path, disk, disk_length) == 0 && path[disk_length] == '/';
    }
    errno = kept;
    return none;
}

static off_t length_of(const struct iovec *data, int parts)
{
    off_t length = 0;
    for (int part = 0; part < parts; part++)
        length += (off_t)data[part].iov_len;
    return length;
}

#define REFUSE_IF_FULL(end) \
    if (finds_no_room(descriptor, end)) { \
        errno = ENOSPC; \
        return -1; \
    }

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    REAL(write);
    off_t at = is_full ? lseek(descriptor, 0, SEEK_CUR) : -1;
    if (at >= 0)
        REFUSE_IF_FULL(at + (off_t)count)
    return real(descriptor, bytes, count);
}

#define POSITIONED_WRITE(name) \
    ssize_t name(int descriptor, const void *bytes, size_t count, off_t offset) \
    { \
        REAL(name); \
        REFUSE_IF_FULL(offset + (off_t)count) \
        return real(descriptor, bytes, count, offset); \
    }
POSITIONED_WRITE(pwrite)
POSITIONED_WRITE(pwrite64)

#define POSITIONED_WRITEV(name) \
    ssize_t name(int descriptor, const struct iovec *data, int parts, off_t offset) \
    { \
        REAL(name); \
        REFUSE_IF_FULL(offset + length_of(data, parts)) \
        return real(descriptor, data, parts, offset); \
    }
POSITIONED_WRITEV(pwritev)
POSITIONED_WRITEV(pwritev64)

#define GROWING(name) \
    int name(int descriptor, int mode, off_t from, off_t size) \
    { \
        REAL(name); \
        REFUSE_IF_FULL(from + size) \
        return real(descriptor, mode, from, size); \
    }
GROWING(fallocate)
GROWING(fallocate64)

/* These answer the error itself. */
#define ALLOCATING(name) \
    int name(int descriptor, off_t from, off_t size) \
    { \
        REAL(name); \
        return finds_no_room(descriptor, from + size) ? ENOSPC : real(descriptor, from, size); \
    }
ALLOCATING(posix_fallocate)
ALLOCATING(posix_fallocate64)
