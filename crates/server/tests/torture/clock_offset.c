/* Preloaded into the processes under test: adds the nanoseconds in the file that CLOCK_OFFSET_FILE names to the
 * wall clock, while they run. Monotonic clocks are left alone, as they are when a machine's clock is set. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *offset;

__attribute__((constructor)) static void map_offset(void) {
    const char *path = getenv("CLOCK_OFFSET_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) {
        abort();
    }
    void *page = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) {
        abort();
    }
    offset = page;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int outcome = (int)syscall(SYS_clock_gettime, clock, now);
    if (outcome == 0 && offset && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        int64_t nanoseconds = (int64_t)now->tv_sec * 1000000000 + now->tv_nsec + *offset;
        now->tv_sec = nanoseconds / 1000000000;
        now->tv_nsec = nanoseconds % 1000000000;
    }
    return outcome;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec precise;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *stored) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (stored) {
        *stored = now.tv_sec;
    }
    return now.tv_sec;
}
