/* Loaded into a process by LD_PRELOAD: appends to one log what the process and its children do to the files of one folder.

   FF_RECORDED_FOLDER  the folder: absolute, without symbolic links
   FF_RECORDED_LOG     the log: a file outside the folder, which must exist

   Each call is one record, and each record is one write to a file that is opened with O_APPEND, so the records of all
   processes and threads have one order. A change is noted after it has happened. A sync is noted twice: what was noted
   before its begin is on the disk at its end. recording.py reads the log, and its layout must be the same there. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind {
    WRITE = 1, RESIZE = 2, CREATE = 3, RENAME = 4, LINK = 5, UNLINK = 6, MKDIR = 7, RMDIR = 8,
    SYNC_BEGIN = 9, SYNC_END = 10, SYNC_ALL_BEGIN = 11, SYNC_ALL_END = 12, MAPPED = 13
};

struct head {
    uint32_t magic;
    uint32_t kind;
    uint32_t thread;
    uint32_t path_length; /* the path follows, then the other path, then the bytes */
    uint32_t other_length;
    uint32_t data_length;
    uint64_t inode;
    uint64_t offset;
};

#define MAGIC 0x46465043u
#define PATHS (2 * PATH_MAX)
#define FIRST_DESCRIPTOR 900 /* out of the way of what the program opens itself */

static const char *folder;
static size_t folder_length;
static int log_descriptor = -1;

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void)
{
    const char *log = getenv("FF_RECORDED_LOG");
    const char *name = getenv("FF_RECORDED_FOLDER");
    if (!log || !name)
        return;
    int opened = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (opened < 0) {
        static const char sentence[] = "recorder: the log cannot be opened\n";
        syscall(SYS_write, 2, sentence, sizeof sentence - 1);
        _exit(97);
    }
    log_descriptor = fcntl(opened, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
    if (log_descriptor < 0)
        log_descriptor = opened;
    else
        syscall(SYS_close, opened);
    folder = strdup(name);
    folder_length = strlen(folder);
}

/* Where a path is inside the folder ("" is the folder itself); NULL: elsewhere. */
static const char *inside(const char *path)
{
    if (!folder || strncmp(path, folder, folder_length) != 0)
        return NULL;
    if (path[folder_length] == '\0')
        return path + folder_length;
    return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

/* The absolute path, without "." and "..", as far as names alone tell. */
static int absolute(int directory, const char *path, char *into)
{
    char whole[PATHS + 2];
    size_t length = 0;
    if (path[0] != '/') {
        if (directory == AT_FDCWD) {
            if (!getcwd(whole, PATH_MAX))
                return -1;
            length = strlen(whole);
        } else {
            char link[64];
            snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
            ssize_t got = readlink(link, whole, PATH_MAX);
            if (got < 0)
                return -1;
            length = (size_t)got;
        }
        whole[length++] = '/';
    }
    size_t rest = strlen(path);
    if (rest >= PATH_MAX)
        return -1;
    memcpy(whole + length, path, rest + 1);
    char *end = into;
    for (char *at = whole; *at;) {
        while (*at == '/')
            at++;
        size_t part = strcspn(at, "/");
        if (part == 2 && at[0] == '.' && at[1] == '.') {
            while (end > into && *--end != '/')
                ;
        } else if (part > 0 && !(part == 1 && at[0] == '.')) {
            *end++ = '/';
            memcpy(end, at, part);
            end += part;
        }
        at += part;
    }
    *end = '\0';
    return 0;
}

static void append(enum kind kind, uint64_t inode, uint64_t offset, const char *path, const char *other,
                   const struct iovec *data, int parts, size_t length)
{
    int kept = errno;
    struct iovec all[3 + IOV_MAX];
    struct head head = {
        .magic = MAGIC, .kind = kind, .thread = (uint32_t)syscall(SYS_gettid), .path_length = (uint32_t)strlen(path),
        .other_length = other ? (uint32_t)strlen(other) : 0, .data_length = (uint32_t)length, .inode = inode, .offset = offset,
    };
    int count = 0;
    size_t total = sizeof head + head.path_length + head.other_length + length;
    all[count++] = (struct iovec){&head, sizeof head};
    all[count++] = (struct iovec){(void *)path, head.path_length};
    all[count++] = (struct iovec){(void *)(other ? other : ""), head.other_length};
    for (int part = 0; part < parts && length > 0 && count < IOV_MAX; part++) {
        size_t here = data[part].iov_len < length ? data[part].iov_len : length;
        all[count++] = (struct iovec){data[part].iov_base, here};
        length -= here;
    }
    if (syscall(SYS_writev, log_descriptor, all, count) != (long)total)
        abort(); /* a log with a hole proves nothing */
    errno = kept;
}

/* Where the file behind a descriptor is inside the folder; NULL: elsewhere, or no file and no folder. */
static const char *place_of(int descriptor, char *into, struct stat *found)
{
    if (!folder || descriptor < 0 || descriptor == log_descriptor)
        return NULL;
    int kept = errno;
    const char *place = NULL;
    if (fstat(descriptor, found) == 0 && (S_ISREG(found->st_mode) || S_ISDIR(found->st_mode))) {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        ssize_t got = readlink(link, into, PATH_MAX);
        if (got > 0) {
            into[got] = '\0';
            place = inside(into);
        }
    }
    errno = kept;
    return place;
}

/* ── bytes ─────────────────────────────────────────────────────────────────────────────────────── */

static void wrote(int descriptor, const struct iovec *data, int parts, ssize_t length, off_t offset)
{
    char path[PATHS];
    struct stat found;
    const char *place;
    if (length <= 0 || !(place = place_of(descriptor, path, &found)))
        return;
    if (offset < 0) {
        int kept = errno;
        offset = lseek(descriptor, 0, SEEK_CUR) - length;
        errno = kept;
    }
    append(WRITE, found.st_ino, (uint64_t)offset, place, NULL, data, parts, (size_t)length);
}

static void resized(int descriptor)
{
    char path[PATHS];
    struct stat found;
    const char *place = place_of(descriptor, path, &found);
    if (place)
        append(RESIZE, found.st_ino, (uint64_t)found.st_size, place, NULL, NULL, 0, 0);
}

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    REAL(write);
    ssize_t done = real(descriptor, bytes, count);
    wrote(descriptor, &(struct iovec){(void *)bytes, count}, 1, done, -1);
    return done;
}

ssize_t writev(int descriptor, const struct iovec *data, int parts)
{
    REAL(writev);
    ssize_t done = real(descriptor, data, parts);
    wrote(descriptor, data, parts, done, -1);
    return done;
}

#define POSITIONED_WRITE(name) \
    ssize_t name(int descriptor, const void *bytes, size_t count, off_t offset) \
    { \
        REAL(name); \
        ssize_t done = real(descriptor, bytes, count, offset); \
        wrote(descriptor, &(struct iovec){(void *)bytes, count}, 1, done, offset); \
        return done; \
    }
POSITIONED_WRITE(pwrite)
POSITIONED_WRITE(pwrite64)

#define POSITIONED_WRITEV(name) \
    ssize_t name(int descriptor, const struct iovec *data, int parts, off_t offset) \
    { \
        REAL(name); \
        ssize_t done = real(descriptor, data, parts, offset); \
        wrote(descriptor, data, parts, done, offset); \
        return done; \
    }
POSITIONED_WRITEV(pwritev)
POSITIONED_WRITEV(pwritev64)

#define RESIZING(name, parameters, arguments) \
    int name parameters \
    { \
        REAL(name); \
        int failed = real arguments; \
        if (!failed) \
            resized(descriptor); \
        return failed; \
    }
RESIZING(ftruncate, (int descriptor, off_t size), (descriptor, size))
RESIZING(ftruncate64, (int descriptor, off_t size), (descriptor, size))
RESIZING(fallocate, (int descriptor, int mode, off_t from, off_t size), (descriptor, mode, from, size))
RESIZING(fallocate64, (int descriptor, int mode, off_t from, off_t size), (descriptor, mode, from, size))
RESIZING(posix_fallocate, (int descriptor, off_t from, off_t size), (descriptor, from, size))
RESIZING(posix_fallocate64, (int descriptor, off_t from, off_t size), (descriptor, from, size))

static void resized_at(const char *name)
{
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) {
        resized(descriptor);
        syscall(SYS_close, descriptor);
    }
}

#define TRUNCATING(name) \
    int name(const char *path, off_t size) \
    { \
        REAL(name); \
        int failed = real(path, size); \
        if (!failed && folder) \
            resized_at(path); \
        return failed; \
    }
TRUNCATING(truncate)
TRUNCATING(truncate64)

/* Only shared memory is written in this way, which no power cut has to leave behind; whoever reads the log checks that. */
#define MAPPING(name) \
    void *name(void *at, size_t size, int protection, int flags, int descriptor, off_t offset) \
    { \
        REAL(name); \
        void *mapped = real(at, size, protection, flags, descriptor, offset); \
        char path[PATHS]; \
        struct stat found; \
        const char *place; \
        if (mapped != MAP_FAILED && (protection & PROT_WRITE) && (flags & MAP_SHARED) && !(flags & MAP_ANONYMOUS) && \
            (place = place_of(descriptor, path, &found))) \
            append(MAPPED, found.st_ino, 0, place, NULL, NULL, 0, 0); \
        return mapped; \
    }
MAPPING(mmap)
MAPPING(mmap64)

/* ── names ─────────────────────────────────────────────────────────────────────────────────────── */

struct opening {
    char path[PATHS];
    const char *place; /* NULL: nothing to note */
    int is_new;
    int is_emptied;
};

static void before_open(struct opening *it, int directory, const char *name, int flags)
{
    struct stat found;
    it->place = NULL;
    if (!folder || !(flags & (O_CREAT | O_TRUNC)) || (flags & O_TMPFILE) == O_TMPFILE || absolute(directory, name, it->path))
        return;
    if (!(it->place = inside(it->path)))
        return;
    int kept = errno;
    it->is_new = fstatat(directory, name, &found, 0) != 0;
    it->is_emptied = !it->is_new && (flags & O_TRUNC) && found.st_size > 0;
    errno = kept;
}

static void after_open(struct opening *it, int descriptor)
{
    struct stat found;
    if (!it->place || descriptor < 0)
        return;
    if (it->is_new && fstat(descriptor, &found) == 0)
        append(CREATE, found.st_ino, 0, it->place, NULL, NULL, 0, 0);
    else if (it->is_emptied)
        resized(descriptor);
}

#define MODE_OF(flags, last) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { \
        va_list rest; \
        va_start(rest, last); \
        mode = (mode_t)va_arg(rest, int); \
        va_end(rest); \
    }

#define OPENING(name) \
    int name(const char *path, int flags, ...) \
    { \
        REAL(name); \
        MODE_OF(flags, flags) \
        struct opening it; \
        before_open(&it, AT_FDCWD, path, flags); \
        int descriptor = real(path, flags, mode); \
        after_open(&it, descriptor); \
        return descriptor; \
    }
OPENING(open)
OPENING(open64)

#define OPENING_AT(name) \
    int name(int directory, const char *path, int flags, ...) \
    { \
        REAL(name); \
        MODE_OF(flags, flags) \
        struct opening it; \
        before_open(&it, directory, path, flags); \
        int descriptor = real(directory, path, flags, mode); \
        after_open(&it, descriptor); \
        return descriptor; \
    }
OPENING_AT(openat)
OPENING_AT(openat64)

/* What stdio writes does not come through the functions above, so the whole file is noted when it is closed. */
#define STREAM_OPENING(name) \
    FILE *name(const char *path, const char *mode) \
    { \
        REAL(name); \
        struct opening it; \
        int flags = mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT : 0; \
        before_open(&it, AT_FDCWD, path, flags); \
        FILE *stream = real(path, mode); \
        after_open(&it, stream ? fileno(stream) : -1); \
        return stream; \
    }
STREAM_OPENING(fopen)
STREAM_OPENING(fopen64)

int fclose(FILE *stream)
{
    REAL(fclose);
    char path[PATHS];
    struct stat found;
    int descriptor = fileno(stream);
    int is_written = descriptor >= 0 && (fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY;
    if (is_written && place_of(descriptor, path, &found) && S_ISREG(found.st_mode)) {
        fflush(stream);
        fstat(descriptor, &found);
        int again = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
        char *bytes = malloc((size_t)found.st_size + 1);
        ssize_t got = again >= 0 && bytes ? pread(again, bytes, (size_t)found.st_size, 0) : -1;
        if (got > 0)
            append(WRITE, found.st_ino, 0, inside(path), NULL, &(struct iovec){bytes, (size_t)got}, 1, (size_t)got);
        free(bytes);
        if (again >= 0)
            syscall(SYS_close, again);
    }
    return real(stream);
}

static void renamed(enum kind kind, int from, const char *old, int to, const char *fresh)
{
    char path[PATHS], other[PATHS];
    if (!folder || absolute(from, old, path) || absolute(to, fresh, other))
        return;
    if (inside(path) && inside(other))
        append(kind, 0, 0, inside(path), inside(other), NULL, 0, 0);
    else if (inside(path) || inside(other))
        abort(); /* a file that comes from elsewhere or goes there is not in the model */
}

#define RENAMING(name, kind, parameters, arguments, from, to) \
    int name parameters \
    { \
        REAL(name); \
        int failed = real arguments; \
        if (!failed) \
            renamed(kind, from, old, to, fresh); \
        return failed; \
    }
RENAMING(rename, RENAME, (const char *old, const char *fresh), (old, fresh), AT_FDCWD, AT_FDCWD)
RENAMING(renameat, RENAME, (int from, const char *old, int to, const char *fresh), (from, old, to, fresh), from, to)
RENAMING(link, LINK, (const char *old, const char *fresh), (old, fresh), AT_FDCWD, AT_FDCWD)
RENAMING(linkat, LINK, (int from, const char *old, int to, const char *fresh, int flags), (from, old, to, fresh, flags), from, to)

static void named(enum kind kind, int directory, const char *name)
{
    char path[PATHS];
    if (folder && !absolute(directory, name, path) && inside(path))
        append(kind, 0, 0, inside(path), NULL, NULL, 0, 0);
}

#define NAMING(name, kind, parameters, arguments, directory) \
    int name parameters \
    { \
        REAL(name); \
        int failed = real arguments; \
        if (!failed) \
            named(kind, directory, path); \
        return failed; \
    }
NAMING(unlink, UNLINK, (const char *path), (path), AT_FDCWD)
NAMING(unlinkat, flags & AT_REMOVEDIR ? RMDIR : UNLINK, (int directory, const char *path, int flags), (directory, path, flags), directory)
NAMING(rmdir, RMDIR, (const char *path), (path), AT_FDCWD)
NAMING(mkdir, MKDIR, (const char *path, mode_t mode), (path, mode), AT_FDCWD)
NAMING(mkdirat, MKDIR, (int directory, const char *path, mode_t mode), (directory, path, mode), directory)

/* ── syncs ─────────────────────────────────────────────────────────────────────────────────────── */

#define SYNCING(name) \
    int name(int descriptor) \
    { \
        REAL(name); \
        char path[PATHS]; \
        struct stat found; \
        const char *place = place_of(descriptor, path, &found); \
        if (place) \
            append(SYNC_BEGIN, found.st_ino, 0, place, NULL, NULL, 0, 0); \
        int failed = real(descriptor); \
        if (place && !failed) \
            append(SYNC_END, found.st_ino, 0, place, NULL, NULL, 0, 0); \
        return failed; \
    }
SYNCING(fsync)
SYNCING(fdatasync)

void sync(void)
{
    REAL(sync);
    if (folder)
        append(SYNC_ALL_BEGIN, 0, 0, "", NULL, NULL, 0, 0);
    real();
    if (folder)
        append(SYNC_ALL_END, 0, 0, "", NULL, NULL, 0, 0);
}
