// SPDX-License-Identifier: GPL-2.0-only
/*
 * ld.so.cache: this machine's own as ldconfig prints it, broken ones, and those
 * that are written here as ldconfig and the loader read them.
 */
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "nvidia/internal.h"
#include "tests/unit/unit.h"

#define OWN	"/etc/ld.so.cache"
/* A name that no library has. */
#define NAME	"libmpu-cache-test.so.1"

static unsigned char bytes[LDCACHE_SIZE_MAX];
static char folder[] = "/tmp/mpu-ldcache-XXXXXX", path[64];

static const struct ldcache_entry some[] = {
	{ .key = "libcuda.so.1", .path = "/usr/lib64/libcuda.so.1", .flags = LDCACHE_X86_64 },
	{ .key = "libcuda.so", .path = "/usr/lib64/libcuda.so", .flags = LDCACHE_X86_64 },
	{ .key = "libcuda.so.1", .path = "/usr/lib/libcuda.so.1", .flags = LDCACHE_I386 },
	{ .key = "liba.so.10", .path = "/opt/other", .flags = LDCACHE_X86_64 },
	{ .key = "liba.so.9", .path = "/opt/liba.so.9", .flags = LDCACHE_X86_64 },
};

#define N_SOME	(sizeof(some) / sizeof(*some))

static size_t read_file(const char *name, unsigned char *to, size_t room)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, to, room);

	assert_in_range(n, 1, room - 1);
	close(fd);
	return (size_t)n;
}

static void write_file(const char *name, const void *from, size_t size)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	assert_int_equal(write(fd, from, size), size);
	close(fd);
}

static struct ldcache open_own(void)
{
	static unsigned char own[LDCACHE_SIZE_MAX];
	struct ldcache cache;

	assert_int_equal(ldcache_open(&cache, own, read_file(OWN, own, sizeof(own))), 0);
	assert_true(cache.n > 50);
	return cache;
}

/* Every entry is one line of `ldconfig -p`, in the same order. */
static void check_print(const struct ldcache *cache, const char *name)
{
	char command[256], line[2 * PATH_MAX], key[PATH_MAX], target[PATH_MAX];
	struct ldcache_entry entry;
	uint32_t i = 0;
	FILE *print;

	snprintf(command, sizeof(command), "/sbin/ldconfig -p -C %s", name);
	print = popen(command, "re");
	while (fgets(line, sizeof(line), print)) {
		if (sscanf(line, "\t%s (%*[^)]) => %s", key, target) != 2)
			continue;
		assert_true(ldcache_entry(cache, i++, &entry));
		assert_string_equal(entry.key, key);
		assert_string_equal(entry.path, target);
	}
	assert_int_equal(pclose(print), 0);
	assert_int_equal(i, cache->n);
}

TEST("this machine's cache is read as ldconfig prints it")
{
	struct ldcache cache = open_own();

	check_print(&cache, OWN);
}

static void check_order(const struct ldcache *cache, const struct ldcache_entry *want)
{
	struct ldcache_entry entry;
	uint32_t i;

	for (i = 0; i < cache->n; i++) {
		assert_true(ldcache_entry(cache, i, &entry));
		assert_string_equal(entry.key, want[i].key);
		assert_int_equal(entry.flags, want[i].flags);
		assert_string_equal(entry.path, want[i].path);
	}
}

TEST("entries are written in the order of ldconfig")
{
	struct ldcache own = open_own(), cache;
	struct ldcache_entry *want = calloc(own.n, sizeof(*want));
	struct ldcache_entry *mixed = calloc(own.n, sizeof(*want));
	size_t i, n = 0;
	long size;

	for (i = 0; i < own.n; i++) {
		assert_true(ldcache_entry(&own, (uint32_t)i, &want[n]));
		/* One for each name and flags. */
		if (!n || strcmp(want[n].key, want[n - 1].key) ||
		    want[n].flags != want[n - 1].flags)
			n++;
	}
	for (i = 0; i < n; i++)
		mixed[(i % 2 ? n - 1 - i / 2 : i / 2)] = want[i];
	size = ldcache_merge(NULL, mixed, n, bytes, sizeof(bytes));
	assert_true(size > 0);
	assert_int_equal(ldcache_open(&cache, bytes, (size_t)size), 0);
	assert_int_equal(cache.n, n);
	check_order(&cache, want);
	write_file(path, bytes, (size_t)size);
	check_print(&cache, path);
	free(want);
	free(mixed);
}

TEST("entries of a cache are added, replaced and removed")
{
	const struct ldcache_entry added[] = {
		{ .key = NAME, .path = "/somewhere/else", .flags = LDCACHE_NATIVE },
		{ .key = "libc.so.6", .path = "/my/libc.so.6", .flags = LDCACHE_NATIVE },
		{ .key = "libm.so.6", .flags = LDCACHE_NATIVE },
	};
	struct ldcache own = open_own(), cache;
	struct ldcache_entry entry;
	bool libc = false, name = false;
	uint32_t i, gone = 0;
	long size;

	for (i = 0; i < own.n; i++)
		if (ldcache_entry(&own, i, &entry) && entry.flags == LDCACHE_NATIVE &&
		    (!strcmp(entry.key, "libm.so.6") || !strcmp(entry.key, "libc.so.6")))
			gone++;
	assert_int_equal(gone, 2);
	size = ldcache_merge(&own, added, 3, bytes, sizeof(bytes));
	assert_true(size > 0);
	assert_int_equal(ldcache_open(&cache, bytes, (size_t)size), 0);
	assert_int_equal(cache.n, own.n);	/* Two more, two fewer. */
	for (i = 0; i < cache.n; i++) {
		assert_true(ldcache_entry(&cache, i, &entry));
		if (entry.flags != LDCACHE_NATIVE)
			continue;
		assert_string_not_equal(entry.key, "libm.so.6");
		if (!strcmp(entry.key, "libc.so.6"))
			libc = !strcmp(entry.path, "/my/libc.so.6");
		name |= !strcmp(entry.key, NAME);
	}
	assert_true(libc && name);
	write_file(path, bytes, (size_t)size);
	check_print(&cache, path);
}

static void run(const char *fmt, ...)
{
	char command[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(command, sizeof(command), fmt, args);
	va_end(args);
	assert_int_equal(system(command), 0);
}

TEST("folders of glibc-hwcaps keep their names")
{
	static const char *const formats[] = { "new", "compat" };
	const struct ldcache_entry added = {
		.key = NAME, .path = "/x/" NAME, .flags = LDCACHE_NATIVE
	};
	unsigned char *file = malloc(LDCACHE_SIZE_MAX);
	struct ldcache cache;
	size_t i;
	long size;

	run("mkdir -p %s/lib/glibc-hwcaps/x86-64-v2 %s/lib/glibc-hwcaps/x86-64-v3", folder, folder);
	for (i = 2; i <= 3; i++)
		run("cp /lib/*/libz.so.1 %s/lib/glibc-hwcaps/x86-64-v%zu", folder, i);
	run("echo %s/lib >%s/conf", folder, folder);
	for (i = 0; i < 2; i++) {
		run("/sbin/ldconfig -X -c %s -f %s/conf -C %s/made", formats[i], folder, folder);
		snprintf(path, sizeof(path), "%s/made", folder);
		assert_int_equal(ldcache_open(&cache, file, read_file(path, file,
				 LDCACHE_SIZE_MAX)), 0);
		assert_int_equal(cache.n_hwcaps, 2);
		assert_int_equal(cache.base != cache.file, i);
		size = ldcache_merge(&cache, &added, 1, bytes, sizeof(bytes));
		assert_true(size > 0);
		snprintf(path, sizeof(path), "%s/cache", folder);
		write_file(path, bytes, (size_t)size);
		run("/sbin/ldconfig -p -C %s | grep -q 'hwcap: \"x86-64-v2\").*/x86-64-v2/libz'", path);
		run("/sbin/ldconfig -p -C %s | grep -q 'hwcap: \"x86-64-v3\").*/x86-64-v3/libz'", path);
		run("/sbin/ldconfig -p -C %s | grep -q '%s'", path, NAME);
	}
	free(file);
}

/* Reads the loader's message when it is to load NAME: nothing if it finds it. */
static size_t preload(const char *cache, char *said, size_t room)
{
	char *const words[] = { "true", NULL };
	char *const env[] = { "LD_PRELOAD=" NAME, NULL };
	int ends[2], status;
	size_t length = 0;
	ssize_t n;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (!pid) {
		dup2(ends[1], 2);
		if (cache && (unshare(geteuid() ? CLONE_NEWUSER | CLONE_NEWNS : CLONE_NEWNS) ||
			      mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
			      mount(cache, OWN, NULL, MS_BIND, NULL)))
			_exit(2);
		execve("/bin/true", words, env);
		_exit(3);
	}
	close(ends[1]);
	while (length < room - 1 && (n = read(ends[0], said + length, room - 1 - length)) > 0)
		length += (size_t)n;
	said[length] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	return length;
}

TEST("the loader finds a library by an entry that was added")
{
	struct ldcache own = open_own();
	struct ldcache_entry added = { .key = NAME, .flags = LDCACHE_NATIVE };
	struct ldcache_entry entry;
	char said[1024];
	uint32_t i;
	long size;

	/* Its name is another's: the loader does not mind. */
	for (i = 0; i < own.n && !added.path; i++)
		if (ldcache_entry(&own, i, &entry) && !strcmp(entry.key, "libz.so.1") &&
		    entry.flags == LDCACHE_NATIVE)
			added.path = entry.path;
	assert_non_null(added.path);
	size = ldcache_merge(&own, &added, 1, bytes, sizeof(bytes));
	write_file(path, bytes, (size_t)size);
	assert_true(preload(NULL, said, sizeof(said)) > 0);
	assert_non_null(strstr(said, NAME));
	assert_int_equal(preload(path, said, sizeof(said)), 0);
}

/* Reads all there is; the address sanitizer sees to the bounds. */
static int read_all(const unsigned char *from, size_t size)
{
	unsigned char *exact = malloc(size ?: 1);
	struct ldcache_entry entry;
	struct ldcache cache;
	uint32_t i;
	int ret;

	memcpy(exact, from, size);
	ret = ldcache_open(&cache, exact, size);
	for (i = 0; !ret && i < cache.n; i++)
		if (ldcache_entry(&cache, i, &entry))
			assert_true(strlen(entry.key) + strlen(entry.path) < size);
	if (!ret) {
		static unsigned char out[65536];

		assert_true(ldcache_merge(&cache, some, N_SOME, out, sizeof(out)) != 0);
	}
	free(exact);
	return ret;
}

static size_t make_some(void)
{
	long size = ldcache_merge(NULL, some, N_SOME, bytes, sizeof(bytes));

	assert_true(size > 0);
	return (size_t)size;
}

TEST("a cache that is cut short is refused, or read without harm")
{
	struct ldcache own = open_own();
	size_t cut, size = make_some();

	for (cut = 0; cut < 48 + 24 * N_SOME; cut++)
		assert_int_equal(read_all(bytes, cut), -EINVAL);
	for (; cut <= size; cut++)
		assert_int_equal(read_all(bytes, cut), 0);
	for (cut = 0; cut < own.file_size; cut += 97)
		read_all(own.file, cut);
}

TEST("a cache with any byte changed does no harm")
{
	size_t at, size = make_some();
	unsigned char kept;

	for (at = 0; at < size; at++) {
		kept = bytes[at];
		bytes[at] = 0xff;
		read_all(bytes, size);
		bytes[at] = kept ^ 0x80;
		read_all(bytes, size);
		bytes[at] = kept;
	}
}

TEST("a count that is too large is refused")
{
	static const uint32_t counts[] = {
		N_SOME + 100, 0x7fffffff, 0x80000000, 0xaaaaaaab, 0xffffffff
	};
	unsigned char old[16 + 4096] = "ld.so-1.7.0";
	size_t size = make_some();

	each_row(row, counts) {
		memcpy(bytes + 20, row, 4);
		assert_int_equal(read_all(bytes, size), -EINVAL);
		memcpy(old + 12, row, 4);
		assert_int_equal(read_all(old, sizeof(old)), -EINVAL);
	}
}

TEST("a cache behind one of the old format is read")
{
	unsigned char file[8192];
	struct ldcache_entry entry;
	struct ldcache cache;
	size_t size = make_some();
	uint32_t n;

	for (n = 0; n < 4; n++) {
		size_t at = (16 + 12 * n + 7) & ~7u;

		memset(file, 0xee, sizeof(file));
		memcpy(file, "ld.so-1.7.0", 12);
		memcpy(file + 12, &n, sizeof(n));
		memcpy(file + at, bytes, size);
		assert_int_equal(ldcache_open(&cache, file, at + size), 0);
		assert_int_equal(cache.n, N_SOME);
		/* Descending: "libcuda.so.1" of 64 bits, of 32, "libcuda.so" ... */
		assert_true(ldcache_entry(&cache, 0, &entry));
		assert_string_equal(entry.path, "/usr/lib64/libcuda.so.1");
		assert_true(ldcache_entry(&cache, 3, &entry));
		assert_string_equal(entry.key, "liba.so.10");
		assert_string_equal(entry.path, "/opt/other");
	}
	/* The old format alone has no entries that count. */
	assert_int_equal(ldcache_open(&cache, file, 64), -EINVAL);
}

TEST("a cache of another byte order is refused")
{
	size_t size = make_some();

	bytes[28] = 3;
	assert_int_equal(read_all(bytes, size), -EINVAL);
	bytes[28] = 0;	/* as glibc before 2.33 left it */
	assert_int_equal(read_all(bytes, size), 0);
}

TEST("a cache that does not fit its room is refused")
{
	size_t size = make_some(), room;

	for (room = 0; room < size; room++) {
		unsigned char *exact = malloc(room ?: 1);

		assert_int_equal(ldcache_merge(NULL, some, N_SOME, exact, room), -E2BIG);
		free(exact);
	}
	assert_int_equal(ldcache_merge(NULL, some, N_SOME, bytes, size), size);
}

/* Many entries of one long string: what is written would be far larger. */
TEST("a cache that would grow far too large is refused")
{
	enum { N = 2000, LENGTH = 4000 };
	size_t size = 48 + N * 24 + LENGTH + 1;
	unsigned char *file = calloc(1, size);
	struct ldcache cache;
	uint32_t n = N, at = 48 + N * 24, i;

	memcpy(file, "glibc-ld.so.cache1.1", 20);
	memcpy(file + 20, &n, 4);
	memset(file + at, 'a', LENGTH);
	for (i = 0; i < N; i++) {
		memcpy(file + 48 + i * 24 + 4, &at, 4);
		memcpy(file + 48 + i * 24 + 8, &at, 4);
	}
	assert_int_equal(ldcache_open(&cache, file, size), 0);
	assert_int_equal(ldcache_merge(&cache, NULL, 0, bytes, 1 << 20), -E2BIG);
	free(file);
}

static int set_up(void)
{
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/cache", folder);
	return 0;
}

static int tear_down(void)
{
	run("rm -rf %s", folder);
	return 0;
}

TEST_ALL(set_up, tear_down)
