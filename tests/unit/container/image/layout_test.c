// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of how images are laid out, and of what is parsed in the sandbox.
 */
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include "container/image/internal.h"
#include "lib/arch.h"
#include "lib/sandbox.h"
#include "nvidia/internal.h"
#include "tests/unit/stub.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

#if defined(__x86_64__)
#define MACHINE		EM_X86_64
#elif defined(__aarch64__)
#define MACHINE		EM_AARCH64
#endif

#define COMPAT	"/usr/local/cuda/compat"
#define NOTE	".note.cuda.fwd_compatibility"
#define OWNER	"NVIDIA Corporation"

static char root[] = "/tmp/mpu-layout-XXXXXX";

static void write_file(const char *path, const void *bytes, size_t size)
{
	tree_write(root, path, bytes, size);
}

static void write_cache(const char *key, const char *path)
{
	static unsigned char bytes[65536];
	const struct ldcache_entry entry = {
		.key = key, .path = path, .flags = LDCACHE_NATIVE
	};

	write_file(LOADER_CACHE, bytes,
		   (size_t)ldcache_merge(NULL, &entry, 1, bytes, sizeof(bytes)));
}

static struct layout read_layout(void)
{
	struct layout layout;
	char why[WHY_SIZE];

	assert_int_equal(layout_read(&layout, root, "570.1", NULL, why), 0);
	assert_string_equal(layout.program, "/usr/bin");
	return layout;
}

static int set_up(void)
{
	strcpy(root + strlen(root) - 6, "XXXXXX");
	return !mkdtemp(root);
}

static int tear_down(void)
{
	return tree_remove(root);
}

TEST_EACH(set_up, tear_down)

#define DEBIAN	"/usr/lib/" TRIPLET " /usr/lib/" TRIPLET32 " searched"

TEST("libraries go where an image has its own, and its loader finds them")
{
	/* Each row with "" goes on with the image of the one before. */
	static const struct { const char *sentence, *made, *wanted; } rows[] = {
		{ "Debian: the machine's triplet folder", "file /etc/debian_version\nfolder /usr/lib64",
		  DEBIAN },
		{ "Red Hat: lib64, and lib32 or lib", "folder /usr/lib64",
		  "/usr/lib64 /usr/lib32 searched" },
		{ "", "folder /usr/lib", "/usr/lib64 /usr/lib searched" },
		{ "", "folder /usr/lib32", "/usr/lib64 /usr/lib32 searched" },
		/* Arch: one folder by two names. */
		{ "no 32-bit libraries in lib if lib64 is a link to it",
		  "folder /usr/lib\nlink /usr/lib64 lib", "/usr/lib64 /usr/lib32 searched" },
		{ "libc is in the triplet folder", "file /lib/" TRIPLET "/libc.so.6", DEBIAN },
		{ "musl's loader does not find libraries in lib64",
		  "file " MUSL_LOADER "\nfolder /usr/lib", "/usr/lib64 /usr/lib" },
		{ "", "folder /usr/lib64", "/usr/lib64 /usr/lib" },
		{ "without /usr/lib64 /lib64, if that is a folder", "folder /opt", "/usr/lib64 /usr/lib32" },
		{ "", "link /lib64 nix/lib", "/usr/lib64 /usr/lib32" },
		{ "", "gone /lib64\nfolder /lib64", "/lib64 /usr/lib32 searched" },
		/* /etc/debian_version of the machine that the tests run on is there. */
		{ "links do not lead to the machine's own files",
		  "link /etc ../../../../../../../../etc\nfolder /usr/lib64",
		  "/usr/lib64 /usr/lib32 searched" },
		{ "", "gone /etc\nlink /etc /proc/self/root/etc", "/usr/lib64 /usr/lib32 searched" },
		{ "a cache is used if there is one, or glibc's loader",
		  "folder /usr/lib64\nfile " MUSL_LOADER, "/usr/lib64 /usr/lib32" },
		{ "", "file " GLIBC_LOADER, "/usr/lib64 /usr/lib32 cached" },
		{ "", "gone " GLIBC_LOADER, "/usr/lib64 /usr/lib32" },
		{ "", "file " LOADER_CACHE, "/usr/lib64 /usr/lib32 cached" },
		{ "", "gone " LOADER_CACHE "\npipe " LOADER_CACHE, "/usr/lib64 /usr/lib32 cached" },
	};
	char said[3 * PATH_MAX];

	each_row(row, rows) {
		struct layout layout;

		if (*row->sentence)
			assert_int_equal(tear_down() || set_up(), 0);
		tree_make(root, row->made, NULL);
		layout = read_layout();
		snprintf(said, sizeof(said), "%s %s%s%s", layout.library, layout.library32,
			 layout.searched ? " searched" : "", layout.cached ? " cached" : "");
		assert_string_equal(said, row->wanted);
	}
}

TEST("a container may have mounts in more folders than there are descriptors, and deep ones")
{
	struct container container = { .root = root };
	struct rlimit limit, few;
	struct container_place place;
	struct places places;
	char path[PATH_MAX], why[WHY_SIZE];
	int i;

	for (i = 0; i + 2 < PATH_MAX; i += 2)
		strcpy(path + i, "/x");
	strv_add(&container.destinations, path);
	for (i = 0; i < 400; i++) {
		snprintf(path, sizeof(path), "folder /m%d", i);
		tree_make(root, path, NULL);
		strv_add_format(&container.destinations, "/m%d/mount", i);
	}
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	few = (struct rlimit){ 300, limit.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	assert_int_equal(places_open(&places, &container, why), 0);
	assert_int_equal(places_find(&places, "/m399/lib.so", &place), 0);
	assert_true(place.beside);
	places_close(&places);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	strv_free(&container.destinations);
}

static int open_cache(void)
{
	return open(tree_path(root, LOADER_CACHE), O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

TEST("libraries are added to the image's cache, or to an empty one; one of another format stays")
{
	const struct ldcache_entry added = {
		.key = "libcuda.so.1", .path = "/usr/lib64/libcuda.so.1",
		.flags = LDCACHE_NATIVE
	};
	static const struct {
		const char *bytes;
		long result;
	} broken[] = {
		{ "", 0 }, { "x", 0 }, { "glibc-ld.so.cachf", 0 },
		{ "ld.so-1.7.0", -ENOTSUP }, { "glibc-ld.so.cache1.1", -ENOTSUP },
		{ "glibc-ld.so.cache2.0 of a glibc to come", -ENOTSUP },
	};
	struct ldcache_entry entry;
	struct ldcache cache;
	char *bytes;
	long size;

	write_cache("libother.so.1", "/opt/libother.so.1");
	size = loader_cache_merge(open_cache(), &added, 1, &bytes);
	assert_true(size > 0);
	assert_int_equal(ldcache_open(&cache, bytes, (size_t)size), 0);
	assert_int_equal(cache.n, 2);
	assert_true(ldcache_entry(&cache, 1, &entry));
	assert_string_equal(entry.path, "/usr/lib64/libcuda.so.1");
	free(bytes);
	each_row(row, broken) {
		write_file(LOADER_CACHE, row->bytes, strlen(row->bytes));
		size = loader_cache_merge(open_cache(), &added, 1, &bytes);
		if (row->result) {
			assert_int_equal(size, row->result);
			continue;
		}
		assert_int_equal(ldcache_open(&cache, bytes, (size_t)size), 0);
		assert_int_equal(cache.n, 1);
		free(bytes);
	}
}

/* An image may have device nodes, and to open one may do something: a pipe is none. */
TEST("a cache or library that is no regular file is not opened")
{
	static const char *const paths[] = { LOADER_CACHE, COMPAT "/libcuda.so.999.1" };
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	struct inotify_event event;
	const char *path;

	each_row(row, paths) {
		path = tree_path(root, *row);
		assert_int_equal(mkfifo(path, 0644), 0);
		assert_true(inotify_add_watch(watch, path, IN_OPEN) >= 0);
	}
	assert_string_equal(read_layout().compat, "");
	assert_int_equal(read(watch, &event, sizeof(event)), -1);
	close(watch);
}

TEST("no root gives the default layout, and a missing one an error")
{
	struct layout layout;
	char why[WHY_SIZE];

	assert_int_equal(layout_read(&layout, NULL, "1.1", NULL, why), 0);
	assert_false(layout.cached);
	assert_string_equal(layout.compat, "");
	assert_int_equal(layout_read(&layout, "/nowhere", "1.1", NULL, why), -ENOENT);
	assert_non_null(strstr(why, "/nowhere"));
}

static void write_compat(const char *path, const char *text)
{
	const struct stub stub = {
		.machine = MACHINE, .is_64 = true, .soname = "libcuda.so.1",
		.section = NOTE, .owner = OWNER, .text = text
	};
	static unsigned char file[STUB_SIZE];

	write_file(path, file, stub_make(file, &stub));
}

static const char *find_compat(const char *driver, const char *cuda)
{
	int fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	static char folder[PATH_MAX];
	char why[WHY_SIZE];

	assert_int_equal(compat_find(fd, COMPAT_FOLDER, driver, cuda, folder, why), 0);
	close(fd);
	return folder;
}

TEST("the note of a compat library decides which drivers can use it")
{
	write_compat(COMPAT "/libcuda.so.575.57.08",
		     "{\"Format\": 1, \"CUDA Version\": \"12.9\", \"Driver\": [535, 570], \"Device\": [1]}");
	assert_string_equal(find_compat("570.211.01", NULL), COMPAT);
	/* No branch of the list. */
	assert_string_equal(find_compat("560.1", NULL), "");
	assert_string_equal(find_compat("590.44.01", NULL), "");
	assert_string_equal(read_layout().compat, COMPAT);
	/* The names as NVIDIA's own libcuda has them, from 580.95.05. */
	write_compat(COMPAT "/libcuda.so.575.57.08",
		     "{\"format\":1,\"CUDA version\":\"12.9\",\"driver\":[535,570],\"device\":[1]}");
	assert_string_equal(find_compat("560.1", NULL), "");
	assert_string_equal(find_compat("570.211.01", NULL), COMPAT);
	/* Known versions of CUDA decide. */
	assert_string_equal(find_compat("590.44.01", "12.8"), COMPAT);
	assert_string_equal(find_compat("570.211.01", "12.10"), "");
}

TEST("a compat library with a broken note is taken by its version")
{
	static const char *const notes[] = {
		"", "{", "[]", "{\"CUDA Version\": 12.9}", "{\"Driver\": 570}", "nonsense"
	};

	/* Decides by the version, as if there were none. */
	each_row(row, notes) {
		write_compat(COMPAT "/libcuda.so.575.57.08", *row);
		assert_string_equal(find_compat("570.211.01", NULL), COMPAT);
		assert_string_equal(find_compat("575.1", NULL), "");
	}
}

TEST("a compat library is the only libcuda file with a full version")
{
	static const struct { const char *made, *wanted; } rows[] = {
		{ "folder " COMPAT "\nfile /libcuda.so.999.1\n"
		  "link " COMPAT "/libcuda.so.999.1 /libcuda.so.999.1", COMPAT },
		/* Two: neither. */
		{ "file " COMPAT "/libcuda.so.998.1", "" },
		/* A SONAME link has no version. */
		{ "gone " COMPAT "/libcuda.so.998.1\ngone " COMPAT "/libcuda.so.999.1\n"
		  "file " COMPAT "/libcuda.so.999", "" },
		{ "folder " COMPAT "/libcuda.so.999.1", "" },
		{ "gone " COMPAT "/libcuda.so.999.1\nlink " COMPAT "/libcuda.so.999.1 /proc/self/exe",
		  "" },
	};

	each_row(row, rows) {
		tree_make(root, row->made, NULL);
		assert_string_equal(find_compat("570.1", NULL), row->wanted);
	}
}

enum attempt {
	COMPUTE, FAIL, LOOP, OPEN, WRITE, READ, SIGNAL, CONNECT, FORK, EXECUTE, ALLOW_CODE, SHARE, WRITE_TO_FILE,
};

static bool is_mapped(int protection, int flags)
{
	return mmap(NULL, 4096, protection, flags | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

/* Does one thing as a parser. */
static int attempt(const void *bytes, size_t size, const void *arg, void *result)
{
	const enum attempt *what = arg;
	volatile int on = 1;
	char *memory;

	switch (*what) {
	case COMPUTE:
		memory = malloc(3 << 20);
		*(int *)result = size == 7 && !memcmp(bytes, "content", 7) && memory ? 42 : 1;
		free(memory);
		return 0;
	case FAIL:
		return -EBADMSG;
	case LOOP:
		while (on)
			;
		return 0;
	case OPEN:
		return open("/etc/passwd", O_RDONLY) >= 0;
	case WRITE:
		return write(2, "", 0) >= 0;
	case READ:
		return read(0, result, 1) >= 0;
	case SIGNAL:
		return !kill(getppid(), 0);
	case CONNECT:
		return socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
	case FORK:
		return fork() >= 0;
	case EXECUTE:
		return !execl("/bin/true", "true", NULL);
	case ALLOW_CODE:
		return is_mapped(PROT_EXEC, MAP_PRIVATE);
	case SHARE:
		return is_mapped(PROT_READ, MAP_SHARED);
	case WRITE_TO_FILE:
		*(volatile char *)bytes = 1;
		return 0;
	}
	return 0;
}

static int attempt_in_sandbox(enum attempt what)
{
	int result = 0, ret, fd;

	write_file("/file", "content", 7);
	fd = open(tree_path(root, "/file"), O_RDONLY | O_CLOEXEC);
	ret = sandbox_parse(fd, attempt, &what, &result, sizeof(result));
	close(fd);
	return ret ?: result;
}

/* The parsers of what images hold do their work in the sandbox in earnest. */
TEST("a parser in the sandbox can compute, and nothing else")
{
	enum attempt what;

	assert_int_equal(attempt_in_sandbox(COMPUTE), 42);
	assert_int_equal(attempt_in_sandbox(FAIL), -EBADMSG);
	for (what = LOOP; what < WRITE_TO_FILE; what++)
		assert_int_equal(attempt_in_sandbox(what), -EINTR);
	/* Sanitizers end with a status where the kernel would have sent SIGSEGV. */
	assert_true(attempt_in_sandbox(WRITE_TO_FILE) < 0);
}
