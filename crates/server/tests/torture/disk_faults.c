/* Preloaded into the processes under test: stands between them and the folder that DISK_FOLDER names.
 *
 * The page that DISK_CONTROL maps says what fails there. With DISK_LOG each change of the folder is appended to a log, in
 * the order in which the changes were made, so that what a power cut may leave of them can be worked out afterwards. */

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CREATE = 1, WRITE, TRUNCATE, SYNC, MAKE_FOLDER, RENAME, LINK, UNLINK, SYNC_FOLDER };
enum { WRITES_FAIL = 1, READS_FAIL = 2, READ_ONLY = 4, FULL = 8 };

struct control {
    /* What fails. */
    volatile int64_t faults;
    /* How often something has failed. */
    volatile int64_t struck;
    /* At which of the changes from now on the process is killed, before it is made; 0: at none. */
    volatile int64_t kill_at;
};

struct record {
    uint32_t kind;
    uint32_t first_bytes;
    uint64_t file;
    uint64_t place;
    uint64_t second_bytes;
};

static struct control *control;
static char folder[PATH_MAX];
static size_t folder_bytes;
static int log_file = -1;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void prepare(void) {
    const char *path = getenv("DISK_CONTROL"), *name = getenv("DISK_FOLDER"), *log = getenv("DISK_LOG");
    int file = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0) : -1;
    if (file < 0 || !name || strlen(name) >= sizeof folder) {
        abort();
    }
    void *page = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) {
        abort();
    }
    syscall(SYS_close, file);
    if (log) {
        log_file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
        if (log_file < 0) {
            abort();
        }
    }
    strcpy(folder, name);
    folder_bytes = strlen(folder);
    control = page;
}

static int is_inside(const char *path) {
    return control && strncmp(path, folder, folder_bytes) == 0 && (path[folder_bytes] == '/' || path[folder_bytes] == 0);
}

/* The path of an open file; false for what is no file of the folder. */
static int path_of(int file, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t bytes = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
    if (bytes < 0) {
        return 0;
    }
    path[bytes] = 0;
    return is_inside(path);
}

/* A path from the root, without `.` and empty parts; false for what does not lie in the folder. */
static int resolve(int at, const char *name, char *path) {
    char whole[2 * PATH_MAX];
    if (!control || !name || strlen(name) >= PATH_MAX) {
        return 0;
    }
    whole[0] = 0;
    if (name[0] != '/') {
        if (at == AT_FDCWD) {
            if (syscall(SYS_getcwd, whole, PATH_MAX) < 0) {
                return 0;
            }
        } else {
            path_of(at, whole);
        }
    }
    strcat(whole, "/");
    strcat(whole, name);
    size_t end = 0;
    for (char *rest = whole, *part; (part = strtok_r(rest, "/", &rest));) {
        if (strcmp(part, ".") == 0) {
            continue;
        }
        size_t bytes = strlen(part);
        if (end + bytes + 2 > PATH_MAX) {
            return 0;
        }
        path[end] = '/';
        memcpy(path + end + 1, part, bytes);
        end += bytes + 1;
    }
    path[end] = 0;
    return is_inside(path);
}

/* Whether the change or the reading has to fail; it says why in errno. */
static int fails(int kinds, int error) {
    if (!control || !(control->faults & kinds)) {
        return 0;
    }
    __atomic_fetch_add(&control->struck, 1, __ATOMIC_RELAXED);
    errno = error;
    return 1;
}

/* Of anything that changes the folder; what makes room succeeds on a full disk. */
static int change_fails(int needs_room) {
    if (control && control->kill_at > 0 && __atomic_sub_fetch(&control->kill_at, 1, __ATOMIC_RELAXED) == 0) {
        /* Nobody is between a change and its note. */
        pthread_mutex_lock(&order);
        kill(getpid(), SIGKILL);
        pause();
    }
    return fails(READ_ONLY, EROFS) || fails(WRITES_FAIL, EIO) || (needs_room && fails(FULL, ENOSPC));
}

static void note(uint32_t kind, uint64_t file, uint64_t place, const char *first, const void *second, size_t second_bytes) {
    if (log_file < 0) {
        return;
    }
    struct record record = {kind, (uint32_t)strlen(first), file, place, second_bytes};
    struct iovec parts[3] = {
        {&record, sizeof record}, {(void *)first, record.first_bytes}, {(void *)second, second_bytes}};
    ssize_t all = (ssize_t)(sizeof record + record.first_bytes + second_bytes);
    if (syscall(SYS_writev, log_file, parts, 3) != all) {
        abort();
    }
}

/* Makes a change and notes it, one after the other. */
#define IN_ORDER(change, noted)            \
    do {                                   \
        pthread_mutex_lock(&order);        \
        outcome = (change);                \
        int error = errno;                 \
        if (outcome >= 0) {                \
            noted;                         \
        }                                  \
        pthread_mutex_unlock(&order);      \
        errno = error;                     \
    } while (0)

static uint64_t number_of(int file) {
    struct stat found;
    return fstat(file, &found) == 0 ? found.st_ino : 0;
}

static int open_file(int at, const char *name, int flags, mode_t mode) {
    char path[PATH_MAX];
    int outcome;
    int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
    if (!resolve(at, name, path) || (flags & O_TMPFILE) == O_TMPFILE) {
        return (int)syscall(SYS_openat, at, name, flags, mode);
    }
    if (writes && fails(READ_ONLY, EROFS)) {
        return -1;
    }
    struct stat found;
    int exists = 1;
    if (flags & O_CREAT) {
        exists = fstatat(AT_FDCWD, path, &found, 0) == 0;
        if (!exists && change_fails(1)) {
            return -1;
        }
    }
    IN_ORDER((int)syscall(SYS_openat, at, name, flags, mode),
             if (!exists) note(CREATE, number_of(outcome), 0, path, "", 0);
             else if (flags & O_TRUNC) note(TRUNCATE, number_of(outcome), 0, "", "", 0));
    return outcome;
}

#define MODE_OF(flags)                                   \
    mode_t mode = 0;                                     \
    if ((flags) & (O_CREAT | O_TMPFILE)) {               \
        va_list rest;                                    \
        va_start(rest, flags);                           \
        mode = va_arg(rest, mode_t);                     \
        va_end(rest);                                    \
    }

int open(const char *name, int flags, ...) {
    MODE_OF(flags)
    return open_file(AT_FDCWD, name, flags, mode);
}

int open64(const char *name, int flags, ...) {
    MODE_OF(flags)
    return open_file(AT_FDCWD, name, flags, mode);
}

int openat(int at, const char *name, int flags, ...) {
    MODE_OF(flags)
    return open_file(at, name, flags, mode);
}

int openat64(int at, const char *name, int flags, ...) {
    MODE_OF(flags)
    return open_file(at, name, flags, mode);
}

int creat(const char *name, mode_t mode) { return open_file(AT_FDCWD, name, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int creat64(const char *name, mode_t mode) { return creat(name, mode); }

ssize_t write(int file, const void *bytes, size_t count) {
    char path[PATH_MAX];
    ssize_t outcome;
    if (!control || !path_of(file, path)) {
        return syscall(SYS_write, file, bytes, count);
    }
    if (change_fails(1)) {
        return -1;
    }
    struct stat found;
    IN_ORDER(syscall(SYS_write, file, bytes, count),
             if (fstat(file, &found) == 0 && S_ISREG(found.st_mode))
                 note(WRITE, found.st_ino, (uint64_t)syscall(SYS_lseek, file, 0, SEEK_CUR) - (uint64_t)outcome, "", bytes,
                      (size_t)outcome));
    return outcome;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) {
    char path[PATH_MAX];
    ssize_t outcome;
    if (!control || !path_of(file, path)) {
        return syscall(SYS_pwrite64, file, bytes, count, place);
    }
    if (change_fails(1)) {
        return -1;
    }
    IN_ORDER(syscall(SYS_pwrite64, file, bytes, count, place),
             note(WRITE, number_of(file), (uint64_t)place, "", bytes, (size_t)outcome));
    return outcome;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) { return pwrite64(file, bytes, count, place); }

ssize_t writev(int file, const struct iovec *parts, int count) {
    char path[PATH_MAX];
    if (!control || count < 1 || !path_of(file, path)) {
        return syscall(SYS_writev, file, parts, count);
    }
    /* A short write is one that callers go on with. */
    for (int part = 0; part < count; part++) {
        if (parts[part].iov_len > 0) {
            return write(file, parts[part].iov_base, parts[part].iov_len);
        }
    }
    return 0;
}

ssize_t read(int file, void *bytes, size_t count) {
    char path[PATH_MAX];
    if (control && (control->faults & READS_FAIL) && path_of(file, path) && fails(READS_FAIL, EIO)) {
        return -1;
    }
    return syscall(SYS_read, file, bytes, count);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t place) {
    char path[PATH_MAX];
    if (control && (control->faults & READS_FAIL) && path_of(file, path) && fails(READS_FAIL, EIO)) {
        return -1;
    }
    return syscall(SYS_pread64, file, bytes, count, place);
}

ssize_t pread(int file, void *bytes, size_t count, off_t place) { return pread64(file, bytes, count, place); }

/* What copies within the kernel is not offered, so that callers read and write. */
ssize_t copy_file_range(int from, off64_t *in, int to, off64_t *out, size_t count, unsigned flags) {
    (void)from, (void)in, (void)to, (void)out, (void)count, (void)flags;
    errno = ENOSYS;
    return -1;
}

ssize_t sendfile64(int to, int from, off64_t *place, size_t count) {
    char path[PATH_MAX];
    if (control && (path_of(from, path) || path_of(to, path))) {
        errno = EINVAL;
        return -1;
    }
    return syscall(SYS_sendfile, to, from, place, count);
}

ssize_t sendfile(int to, int from, off_t *place, size_t count) { return sendfile64(to, from, place, count); }

int ftruncate64(int file, off64_t size) {
    char path[PATH_MAX];
    int outcome;
    if (!control || !path_of(file, path)) {
        return (int)syscall(SYS_ftruncate, file, size);
    }
    if (change_fails(0)) {
        return -1;
    }
    IN_ORDER((int)syscall(SYS_ftruncate, file, size), note(TRUNCATE, number_of(file), (uint64_t)size, "", "", 0));
    return outcome;
}

int ftruncate(int file, off_t size) { return ftruncate64(file, size); }

static int synced(long call, int file) {
    char path[PATH_MAX];
    int outcome;
    if (!control || !path_of(file, path)) {
        return (int)syscall(call, file);
    }
    if (fails(WRITES_FAIL, EIO)) {
        return -1;
    }
    struct stat found;
    IN_ORDER((int)syscall(call, file),
             if (fstat(file, &found) == 0)
                 note(S_ISDIR(found.st_mode) ? SYNC_FOLDER : SYNC, found.st_ino, 0, path, "", 0));
    return outcome;
}

int fsync(int file) { return synced(SYS_fsync, file); }

int fdatasync(int file) { return synced(SYS_fdatasync, file); }

int mkdirat(int at, const char *name, mode_t mode) {
    char path[PATH_MAX];
    int outcome;
    if (!resolve(at, name, path)) {
        return (int)syscall(SYS_mkdirat, at, name, mode);
    }
    struct stat found;
    if (fstatat(AT_FDCWD, path, &found, 0) != 0 && change_fails(1)) {
        return -1;
    }
    IN_ORDER((int)syscall(SYS_mkdirat, at, name, mode), note(MAKE_FOLDER, 0, 0, path, "", 0));
    return outcome;
}

int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

static int moved(uint32_t kind, int at, const char *name, int to_at, const char *to, unsigned flags) {
    char from_path[PATH_MAX], path[PATH_MAX];
    int outcome;
    long call = kind == RENAME ? SYS_renameat2 : SYS_linkat;
    if (!resolve(at, name, from_path) || !resolve(to_at, to, path)) {
        return (int)syscall(call, at, name, to_at, to, flags);
    }
    if (change_fails(1)) {
        return -1;
    }
    IN_ORDER((int)syscall(call, at, name, to_at, to, flags), note(kind, 0, 0, from_path, path, strlen(path)));
    return outcome;
}

int rename(const char *name, const char *to) { return moved(RENAME, AT_FDCWD, name, AT_FDCWD, to, 0); }

int renameat(int at, const char *name, int to_at, const char *to) { return moved(RENAME, at, name, to_at, to, 0); }

int renameat2(int at, const char *name, int to_at, const char *to, unsigned flags) {
    return moved(RENAME, at, name, to_at, to, flags);
}

int linkat(int at, const char *name, int to_at, const char *to, int flags) {
    return moved(LINK, at, name, to_at, to, (unsigned)flags);
}

int link(const char *name, const char *to) { return moved(LINK, AT_FDCWD, name, AT_FDCWD, to, 0); }

int unlinkat(int at, const char *name, int flags) {
    char path[PATH_MAX];
    int outcome;
    if (!resolve(at, name, path)) {
        return (int)syscall(SYS_unlinkat, at, name, flags);
    }
    struct stat found;
    if (fstatat(AT_FDCWD, path, &found, AT_SYMLINK_NOFOLLOW) == 0 && change_fails(0)) {
        return -1;
    }
    IN_ORDER((int)syscall(SYS_unlinkat, at, name, flags), note(UNLINK, 0, 0, path, "", 0));
    return outcome;
}

int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }

int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }
