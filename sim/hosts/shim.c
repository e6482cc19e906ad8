// SPDX-License-Identifier: GPL-2.0-only
/*
 * The simulated RM as a preloaded library: gives /dev/nvidia* to
 * unmodified programs, nvidia-smi among them, without a kernel module.
 *
 *	NVSIM_STATE=FILE LD_PRELOAD=./nvsim-shim.so nvidia-smi
 *
 * All processes that name the same state file share one RM. The first one to
 * come makes it, from the environment:
 *
 *	NVSIM_VERSION		driver version, 535.274.02
 *	NVSIM_FLAVOUR		open (default) or proprietary
 *	NVSIM_GPUS		1
 *	NVSIM_ACCOUNTING	1: accounting mode is on
 *
 * For each process: NVSIM_TRACE=1 prints every request and its status; NVSIM_ROOT
 * names a folder below which the nodes are, too, for mpu with MPU_ROOT. While there
 * is a file with the name of NVSIM_GONE, the driver is not loaded: nobody can open it.
 *
 * Here a process has one number, its own: namespaces are for nvsim.ko.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "abi/page.h"
#include "sim/sim.h"

#define EXPORT __attribute__((visibility("default")))

#define SHIM_FDS	1024	/* descriptors of one process that may be ours */
#define SHIM_OPENS	4096	/* open files of all processes */

/* Files with their openers: a process's clients go when it is gone. */
struct opened {
	pid_t pid;		/* 0: free, -1: being closed */
	struct sim_file file;
};

struct state {
	u8 page[SIM_GPUS][MPU_PAGE_SIZE];	/* first: mmap() wants whole pages */
	pthread_mutex_t lock;
	u32 ready;
	struct opened opened[SHIM_OPENS];
	struct sim sim;
};

static struct state *state;
static struct opened *ours[SHIM_FDS];

static int (*next_open)(const char *, int, ...);
static int (*next_openat)(int, const char *, int, ...);
static int (*next_close)(int);
static int (*next_ioctl)(int, unsigned long, ...);
static void *(*next_mmap)(void *, size_t, int, int, int, off_t);

/* --- What the simulated RM needs of its host --- */

/* Through the kernel, so that a bad pointer is an error and not a signal. */
static u32 shim_copy(void *ours, const void *theirs, u32 n, bool write)
{
	struct iovec here = { ours, n };
	struct iovec there = { (void *)theirs, n };
	ssize_t done;

	if (write)
		done = process_vm_writev(getpid(), &here, 1, &there, 1, 0);
	else
		done = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
	return done == (ssize_t)n ? NV_OK : NV_ERR_INVALID_ADDRESS;
}

u32 os_memcpy_from_user(void *to, const void *from, u32 n)
{
	return shim_copy(to, from, n, false);
}

u32 os_memcpy_to_user(void *to, const void *from, u32 n)
{
	return shim_copy((void *)from, to, n, true);
}

u32 os_alloc_mem(void **address, u64 size)
{
	*address = malloc(size);
	return *address ? NV_OK : NV_ERR_NO_MEMORY;
}

void os_free_mem(void *address)
{
	free(address);
}

u32 os_get_current_process(void)
{
	return getpid();
}

bool os_is_administrator(void)
{
	return geteuid() == 0;
}

u32 os_get_current_time(u32 *sec, u32 *usec)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	*sec = now.tv_sec;
	*usec = now.tv_nsec / 1000;
	return NV_OK;
}

u32 os_delay(u32 ms)
{
	usleep(ms * 1000);
	return NV_OK;
}

void *os_get_pid_info(void)
{
	return (void *)(uintptr_t)getpid();
}

void os_put_pid_info(void *pid_info)
{
	(void)pid_info;
}

u32 os_find_ns_pid(void *pid_info, u32 *ns_pid)
{
	*ns_pid = (uintptr_t)pid_info;
	return NV_OK;
}

bool os_is_init_ns(void)
{
	return true;
}

void os_acquire_rm(struct sim *sim)
{
	(void)sim;
	/* A process killed under the lock leaves a usable, if odd, state. */
	if (pthread_mutex_lock(&state->lock) == EOWNERDEAD)
		pthread_mutex_consistent(&state->lock);
}

void os_release_rm(struct sim *sim)
{
	(void)sim;
	pthread_mutex_unlock(&state->lock);
}

/* --- The shared state --- */

static void shim_die(const char *what)
{
	fprintf(stderr, "nvsim-shim: %s\n", what);
	_exit(1);
}

static u32 shim_number(const char *name, u32 otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoul(text, NULL, 0) : otherwise;
}

static void shim_configure(struct sim_config *config)
{
	const char *version = getenv("NVSIM_VERSION");
	const char *flavour = getenv("NVSIM_FLAVOUR");

	if (!sim_parse_version(config, version ? version : "535.274.02"))
		shim_die("NVSIM_VERSION is no driver version like 535.274.02");
	config->flavour = SIM_OPEN;
	if (flavour && !strcmp(flavour, "proprietary"))
		config->flavour = SIM_PROPRIETARY;
	else if (flavour && strcmp(flavour, "open"))
		shim_die("NVSIM_FLAVOUR is neither open nor proprietary");
	config->gpus = shim_number("NVSIM_GPUS", 1);
	if (!config->gpus || config->gpus > SIM_GPUS)
		shim_die("NVSIM_GPUS is not a number of GPUs from 1 to 8");
	config->accounting = shim_number("NVSIM_ACCOUNTING", 0);
}

static void shim_make(void)
{
	struct sim_config config = { 0 };
	pthread_mutexattr_t attr;

	shim_configure(&config);
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&state->lock, &attr);
	sim_init(&state->sim, &config);
	state->ready = 1;
}

static void shim_map(void)
{
	const char *path = getenv("NVSIM_STATE");
	int fd;

	if (state)
		return;
	if (!path)
		shim_die("NVSIM_STATE does not name the file that is the RM");
	fd = next_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0 || flock(fd, LOCK_EX) || ftruncate(fd, sizeof(*state)))
		shim_die("cannot open the file that NVSIM_STATE names");
	state = next_mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (state == MAP_FAILED)
		shim_die("cannot map the file that NVSIM_STATE names");
	if (!state->ready)
		shim_make();
	flock(fd, LOCK_UN);		/* the mapping would keep it */
	next_close(fd);
}

/* Close what ended processes left open, as the kernel does for a real driver. */
static void shim_reap(void)
{
	int i;

	/* To the first one of a PID namespace, and its child, all outside look as ended. */
	if (getpid() == 1 || getppid() == 1)
		return;
	for (i = 0; i < SHIM_OPENS; i++) {
		struct opened *o = &state->opened[i];
		pid_t pid = o->pid;

		if (pid <= 0 || !kill(pid, 0) || errno != ESRCH)
			continue;
		/* Several processes may be here: one of them does it. */
		if (!__sync_bool_compare_and_swap(&o->pid, pid, -1))
			continue;
		sim_close(&state->sim, &o->file);
		o->pid = 0;
	}
}

/* --- Device nodes --- */

/* Minor of a node that exists here, -1 for any other path. */
static int shim_minor(const char *path)
{
	const char *root = getenv("NVSIM_ROOT");
	unsigned int minor;
	char end;

	if (path && root && !strncmp(path, root, strlen(root)))
		path += strlen(root);
	if (!path || strncmp(path, "/dev/nvidia", 11))
		return -1;
	shim_map();
	if (!strcmp(path, "/dev/nvidiactl"))
		return NV_MINOR_CTL;
	if (sscanf(path + 11, "%u%c", &minor, &end) == 1 && minor < state->sim.config.gpus)
		return minor;
	return -1;
}

static struct opened *shim_slot(void)
{
	struct opened *slot = NULL;
	int i;

	os_acquire_rm(&state->sim);
	for (i = 0; i < SHIM_OPENS && !slot; i++)
		if (!state->opened[i].pid)
			slot = &state->opened[i];
	if (slot)
		slot->pid = getpid();
	os_release_rm(&state->sim);
	return slot;
}

/*
 * While the file of NVSIM_GONE is there, the driver is not; with "hang" in it no GPU can be
 * opened, and with "lost" the second one cannot. Returns 0 or errno.
 */
static int shim_trouble(int minor)
{
	const char *gone = getenv("NVSIM_GONE");
	char word[5] = "";
	ssize_t n;
	int fd;

	for (;;) {
		fd = gone ? next_open(gone, O_RDONLY | O_CLOEXEC) : -1;
		if (fd < 0)
			return 0;
		n = read(fd, word, 4);
		next_close(fd);
		if (n <= 0)
			return ENODEV;
		if (!strcmp(word, "lost"))
			return minor == 1 ? EIO : 0;
		if (minor == NV_MINOR_CTL)
			return 0;
		usleep(50000);
	}
}

static int shim_open(int minor, int flags)
{
	struct opened *o;
	int fd;

	errno = shim_trouble(minor);
	if (errno)
		return -1;
	shim_reap();
	fd = next_open("/dev/null", O_RDWR | (flags & O_CLOEXEC));
	if (fd < 0)
		return fd;
	o = fd < SHIM_FDS ? shim_slot() : NULL;
	if (!o) {
		next_close(fd);
		errno = EMFILE;
		return -1;
	}
	sim_open(&state->sim, &o->file, minor);
	ours[fd] = o;
	return fd;
}

static struct opened *shim_of(int fd)
{
	return fd >= 0 && fd < SHIM_FDS ? ours[fd] : NULL;
}

/* Shows which request of a new nvidia-smi is not answered. */
static void shim_trace(u32 nr, u32 size, const void *block, int err)
{
	if (!getenv("NVSIM_TRACE"))
		return;
	fprintf(stderr, "nvsim: escape %x size %u", nr, size);
	if (nr == NV_ESC_RM_CONTROL && size == sizeof(struct nv_control)) {
		const struct nv_control *control = block;

		fprintf(stderr, " control %08x size %u status %x",
			control->cmd, control->size, control->status);
	} else if (nr == NV_ESC_RM_ALLOC) {
		fprintf(stderr, " class %x status %x",
			mpu_get32(block, 12), mpu_get32(block, size - 8) |
			mpu_get32(block, size - 4));
	}
	fprintf(stderr, " errno %d\n", err);
}

/* nvidia_ioctl(): the block is copied in, and out unless -EFAULT. */
static int shim_ioctl(struct opened *o, unsigned long request, void *arg)
{
	u8 block[NV_XFER_MAX];
	u32 nr = _IOC_NR(request);
	u32 size = _IOC_SIZE(request);
	struct nv_xfer xfer;
	int err = 0;

	if (nr == NV_ESC_XFER) {
		if (size != sizeof(xfer) || os_memcpy_from_user(&xfer, arg, sizeof(xfer)))
			err = EINVAL;
		nr = xfer.nr;
		size = xfer.size;
		arg = (void *)(uintptr_t)xfer.ptr;
	}
	if (size > sizeof(block))
		err = EINVAL;
	if (!err && size && os_memcpy_from_user(block, arg, size))
		err = EFAULT;
	if (!err) {
		err = -sim_escape(&state->sim, &o->file, nr, block, size);
		shim_trace(nr, size, block, err);
		if (err != EFAULT && size && os_memcpy_to_user(arg, block, size))
			err = EFAULT;
	}
	errno = err;
	return err ? -1 : 0;
}

static int shim_stat(int minor, struct stat *st)
{
	memset(st, 0, sizeof(*st));
	st->st_mode = S_IFCHR | 0666;
	st->st_rdev = makedev(NV_MAJOR, minor);
	st->st_nlink = 1;
	return 0;
}

void *os_page(u32 gpu)
{
	return state->page[gpu];
}

bool os_give_page(int fd, u32 page)
{
	struct opened *o = shim_of(fd);

	if (o)
		o->file.page = page;
	return o;
}

/* The page of a GPU, which a descriptor was given. */
static void *shim_page(void *at, size_t length, const struct sim_file *file)
{
	int fd = next_open(getenv("NVSIM_STATE"), O_RDONLY | O_CLOEXEC);
	void *page;

	if (fd < 0)
		return MAP_FAILED;
	sim_page_write(&state->sim, &state->sim.gpu[file->page - 1]);
	page = next_mmap(at, length, PROT_READ, MAP_SHARED, fd,
			 (off_t)(file->page - 1) * MPU_PAGE_SIZE);
	next_close(fd);
	return page;
}

/* --- What is taken over from libc --- */

__attribute__((constructor)) static void shim_start(void)
{
	next_open = dlsym(RTLD_NEXT, "open");
	next_openat = dlsym(RTLD_NEXT, "openat");
	next_close = dlsym(RTLD_NEXT, "close");
	next_ioctl = dlsym(RTLD_NEXT, "ioctl");
	next_mmap = dlsym(RTLD_NEXT, "mmap");
}

static mode_t shim_mode(int flags, va_list args)
{
	return flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

EXPORT int open(const char *path, int flags, ...)
{
	int minor = shim_minor(path);
	va_list args;
	mode_t mode;

	if (minor >= 0)
		return shim_open(minor, flags);
	va_start(args, flags);
	mode = shim_mode(flags, args);
	va_end(args);
	return next_open(path, flags, mode);
}

EXPORT int openat(int dir, const char *path, int flags, ...)
{
	int minor = shim_minor(path);
	va_list args;
	mode_t mode;

	if (minor >= 0)
		return shim_open(minor, flags);
	va_start(args, flags);
	mode = shim_mode(flags, args);
	va_end(args);
	return next_openat(dir, path, flags, mode);
}

EXPORT int close(int fd)
{
	struct opened *o = shim_of(fd);

	if (o) {
		ours[fd] = NULL;
		/* A forked child holds a copy: the opener alone ends it. */
		if (o->pid == getpid()) {
			sim_close(&state->sim, &o->file);
			o->pid = 0;
		}
	}
	return next_close(fd);
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
	struct opened *o = shim_of(fd);
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	return o ? shim_ioctl(o, request, arg) : next_ioctl(fd, request, arg);
}

EXPORT void *mmap(void *at, size_t length, int prot, int flags, int fd, off_t offset)
{
	struct opened *o = shim_of(fd);

	if (o && o->file.page && length <= MPU_PAGE_SIZE && !(prot & PROT_WRITE))
		return shim_page(at, length, &o->file);
	if (o) {
		errno = EINVAL;
		return MAP_FAILED;
	}
	return next_mmap(at, length, prot, flags, fd, offset);
}

EXPORT int stat(const char *path, struct stat *st)
{
	int minor = shim_minor(path);

	return minor >= 0 ? shim_stat(minor, st) : fstatat(AT_FDCWD, path, st, 0);
}

EXPORT int lstat(const char *path, struct stat *st)
{
	int minor = shim_minor(path);

	return minor >= 0 ? shim_stat(minor, st) : fstatat(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

EXPORT int access(const char *path, int mode)
{
	return shim_minor(path) >= 0 ? 0 : faccessat(AT_FDCWD, path, mode, 0);
}

/* stat() and lstat() as older programs name them (x86-64 has one layout). */
EXPORT int __xstat(int version, const char *path, struct stat *st)
{
	(void)version;
	return stat(path, st);
}

EXPORT int __lxstat(int version, const char *path, struct stat *st)
{
	(void)version;
	return lstat(path, st);
}

/* Programs that were compiled with _FORTIFY_SOURCE call these where no mode is given. */
EXPORT int __open_2(const char *path, int flags)
{
	return open(path, flags);
}

EXPORT int __openat_2(int dir, const char *path, int flags)
{
	return openat(dir, path, flags);
}

EXPORT int __open64_2(const char *, int) __attribute__((alias("__open_2")));
EXPORT int __openat64_2(int, const char *, int) __attribute__((alias("__openat_2")));
EXPORT int open64(const char *, int, ...) __attribute__((alias("open")));
EXPORT int openat64(int, const char *, int, ...)
	__attribute__((alias("openat")));
EXPORT void *mmap64(void *, size_t, int, int, int, off_t)
	__attribute__((alias("mmap")));
EXPORT int stat64(const char *, struct stat64 *)
	__attribute__((alias("stat")));
EXPORT int lstat64(const char *, struct stat64 *)
	__attribute__((alias("lstat")));
EXPORT int __xstat64(int, const char *, struct stat64 *)
	__attribute__((alias("__xstat")));
EXPORT int __lxstat64(int, const char *, struct stat64 *)
	__attribute__((alias("__lxstat")));
