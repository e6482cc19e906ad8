// SPDX-License-Identifier: GPL-2.0-only
/*
 * State and links of the programs, in bpffs, which outlive a process; and the daemon's lock.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <linux/magic.h>

#include "engines/bpf/internal.h"
#include "lib/clock.h"

#define BPFFS	"/sys/fs/bpf"
#define STATE	PINS_FOLDER "/state"

/* Calls in flight are waited for that long; a missed one would be for ever. */
#define PATIENCE_MS	10000
#define UNCOUNTED_MS	1000	/* in another version's state */

_Static_assert(offsetof(struct bpf_state, on) == 0 &&
	       offsetof(struct bpf_state, layout) == 4 &&
	       offsetof(struct bpf_state, exempt_pid) == 12 &&
	       offsetof(struct bpf_state, exempt_until) == 24 && sizeof(struct bpf_state) <= 4096,
	       "every version of MPU finds these there, in the one page that it maps");

/* Return: a descriptor for pins_unlock(); -EBUSY: there is a daemon; or negative errno. */
int pins_lock(void)
{
	struct flock lock = { .l_type = F_WRLCK };
	struct stat file;
	int fd, err;

	for (;;) {
		fd = open(PINS_LOCK, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		if (fd < 0)
			return -errno;
		err = fcntl(fd, F_SETLK, &lock) ? errno : 0;
		/* A file that another has removed meanwhile locks nobody out. */
		if (!err && !fstat(fd, &file) && file.st_nlink)
			return fd;
		close(fd);
		if (err)
			return err == EACCES || err == EAGAIN ? -EBUSY : -err;
	}
}

void pins_unlock(int fd)
{
	unlink(PINS_LOCK);
	close(fd);
}

/* The daemon must not ask: closing the file gives its lock up, see fcntl(2). */
pid_t pins_daemon(void)
{
	struct flock lock = { .l_type = F_WRLCK };
	int fd = open(PINS_LOCK, O_RDONLY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return 0;
	err = fcntl(fd, F_GETLK, &lock);
	close(fd);
	return err || lock.l_type == F_UNLCK ? 0 : lock.l_pid;
}

void pins_remove_stale_lock(void)
{
	int fd = pins_lock();

	if (fd >= 0)
		pins_unlock(fd);
}

bool pins_exist(void)
{
	return !access(PINS_LOCK, F_OK) || !access(PINS_FOLDER, F_OK);
}

int pins_open(void)
{
	struct statfs fs;

	if (statfs(BPFFS, &fs))
		return -errno;
	if (fs.f_type != BPF_FS_MAGIC && mount("bpf", BPFFS, "bpf", 0, "mode=0700"))
		return -errno;
	return mkdir(PINS_FOLDER, 0700) && errno != EEXIST ? -errno : 0;
}

int pins_state(const struct hook_maps *maps)
{
	unlink(STATE);
	return bpf_obj_pin(maps->fd[HOOK_STATE], STATE) ? -errno : 0;
}

static bool has_our_layout(const struct bpf_state *state)
{
	return state->layout == sizeof(*state);
}

/* The state of whoever pinned it. Return: NULL and errno. */
static struct bpf_state *map_state(int protection)
{
	int fd = bpf_obj_get(STATE);
	void *state;

	if (fd < 0)
		return NULL;
	state = mmap(NULL, sizeof(struct bpf_state), protection, MAP_SHARED, fd, 0);
	close(fd);
	return state == MAP_FAILED ? NULL : state;
}

/* @linked: are programs attached by their pins, so that they need nobody? */
int pins_read(struct bpf_state *copy, bool *linked)
{
	struct bpf_state *state = map_state(PROT_READ);
	struct dirent *one;
	DIR *dir;

	if (!state)
		return -errno;
	*copy = has_our_layout(state) ? *state : (struct bpf_state){ .on = state->on };
	munmap(state, sizeof(*state));
	*linked = false;
	dir = opendir(PINS_FOLDER);
	while (dir && (one = readdir(dir)))
		*linked |= strchr(one->d_name, '_') != NULL;
	if (dir)
		closedir(dir);
	return 0;
}

static u64 missed_by(const char *path)
{
	struct bpf_link_info link = { 0 };
	struct bpf_prog_info program = { 0 };
	u32 size = sizeof(link);
	int fd = bpf_obj_get(path);
	int err = fd < 0 ? -errno : bpf_obj_get_info_by_fd(fd, &link, &size);

	if (fd >= 0)
		close(fd);
	fd = err ? -1 : bpf_prog_get_fd_by_id(link.prog_id);
	if (fd < 0)
		return 0;
	size = sizeof(program);
	bpf_obj_get_info_by_fd(fd, &program, &size);
	close(fd);
	return program.recursion_misses;
}

/*
 * Returns how many calls were missed: those whose return was not seen, and the skips that
 * the kernel counts of programs that are pinned now. Not the misses of a probe, in
 * kprobe_profile: nobody calls the driver inside of one, and before 5.14 they count each
 * page of a caller's that is not there yet (kprobe_fault_handler()).
 */
u64 pins_missed(const struct bpf_state *state)
{
	u64 missed = state->missed;
	struct dirent *one;
	char path[512];
	DIR *dir = opendir(PINS_FOLDER);

	while (dir && (one = readdir(dir))) {
		snprintf(path, sizeof(path), PINS_FOLDER "/%s", one->d_name);
		if (strchr(one->d_name, '_'))
			missed += missed_by(path);
	}
	if (dir)
		closedir(dir);
	return missed;
}

void pins_drain(const struct bpf_state *state)
{
	const volatile u64 *calls = &state->calls;
	bool counted = has_our_layout(state);
	struct wait wait = wait_begin(10, counted ? PATIENCE_MS : UNCOUNTED_MS);

	while ((!counted || *calls) && wait_moment(&wait))
		;
}

/* Has the programs leave a process alone, for so long if nobody ends it before. */
void state_exempt(struct bpf_state *state, pid_t tgid, unsigned int seconds)
{
	struct timespec now;

	/* bpf_ktime_get_ns() reads this clock. */
	clock_gettime(CLOCK_MONOTONIC, &now);
	*(volatile u64 *)&state->exempt_until = (u64)(now.tv_sec + seconds) * 1000000000u;
	*(volatile u32 *)&state->exempt_pid = (u32)tgid;
}

void pins_exempt(pid_t tgid, unsigned int seconds)
{
	struct bpf_state *state = map_state(PROT_READ | PROT_WRITE);

	if (!state)
		return;
	state_exempt(state, tgid, seconds);
	munmap(state, sizeof(*state));
}

/* Switches the pinned programs off, waits for their calls, removes the pins; @next may be NULL. */
void pins_hand_over(struct bpf_state *next)
{
	struct bpf_state *state = map_state(PROT_READ | PROT_WRITE);
	bool on = state && state->on;
	struct dirent *one;
	char path[512];
	DIR *dir;

	if (on)
		__atomic_store_n(&state->on, 0, __ATOMIC_SEQ_CST);
	if (next)
		__atomic_store_n(&next->on, 1, __ATOMIC_SEQ_CST);
	if (on)
		pins_drain(state);
	if (state)
		munmap(state, sizeof(*state));
	dir = opendir(PINS_FOLDER);
	while (dir && (one = readdir(dir))) {
		snprintf(path, sizeof(path), PINS_FOLDER "/%s", one->d_name);
		if (one->d_name[0] != '.')
			unlink(path);
	}
	if (dir)
		closedir(dir);
	rmdir(PINS_FOLDER);
}

void pins_clear(void)
{
	pins_hand_over(NULL);
}
