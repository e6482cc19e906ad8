// SPDX-License-Identifier: GPL-2.0-only
/*
 * Libraries of an image, found as glibc's elf/ldconfig.c does: search_dir(), create_links().
 */
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container/image/internal.h"
#include "lib/in_root.h"
#include "lib/library.h"
#include "lib/sandbox.h"
#include "lib/xalloc.h"

/* More than a container has in all its folders. */
#define IMAGE_LIBRARIES_MAX	4096

/* Bounds what links of an image cost: half a second. */
#define COMPARISONS_MAX	(1 << 25)

/* A file that is mapped, for the sandbox. */
struct mapped {
	const void *bytes;
	size_t size;
};

/* A name and flags that a library has in itself; no flags: the file is none. */
struct said {
	uint32_t flags;
	char soname[NAME_MAX + 1];
};

struct file {
	size_t folder;		/* number of its folder */
	char *name;
	struct said said;
};

/* Folders that are being read. */
struct reader {
	int root;
	const struct strv *folders;
	size_t n_whole;
	uint64_t mount;		/* ID of the root's mount */
	struct file *file;
	struct mapped *mapped;	/* one for each of @file */
	size_t n, compared;	/* names of links with those of files, so many times */
};

static uint32_t flags_of(const struct library *library)
{
	switch (library->machine) {
	case EM_X86_64:
		return library->is_64 ? LDCACHE_X86_64 : 0;
	case EM_386:
		return LDCACHE_I386;
	case EM_AARCH64:
		return library->is_64 ? LDCACHE_AARCH64 : 0;
	case EM_ARM:
		return LDCACHE_ARMHF;
	default:
		return 0;
	}
}

/* Parses a file in the sandbox, which sees nothing else. */
static int parse(const void *bytes, size_t size, const void *arg, void *result)
{
	const struct mapped *mapped = bytes;
	struct said *said = result;
	size_t i, n = size / sizeof(*mapped);

	(void)arg;
	for (i = 0; i < n; i++) {
		struct library library;

		if (!library_parse(mapped[i].bytes, mapped[i].size, &library)) {
			said[i].flags = flags_of(&library);
			strcpy(said[i].soname, library.soname);
		}
		library_free(&library);
	}
	return 0;
}

/* A kernel that does not tell it (before Linux 5.8) makes each mount another. */
static uint64_t mount_of(const struct statx *st)
{
	return st->stx_mask & STATX_MNT_ID ? st->stx_mnt_id : 0;
}

static int look(int folder, const char *name, struct statx *st)
{
	return statx(folder, name, AT_SYMLINK_NOFOLLOW | (*name ? 0 : AT_EMPTY_PATH),
		     STATX_TYPE | STATX_SIZE | STATX_MNT_ID, st);
}

static bool is_mounted(const struct reader *r, const struct statx *st)
{
	return !r->mount || mount_of(st) != r->mount;
}

/* A file that cannot be opened or mapped is no library. */
static void map_file(struct reader *r, size_t number, int folder, const char *name)
{
	int fd = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct mapped mapped = { .bytes = MAP_FAILED };
	struct stat st;

	fd = regular_open(fd < 0 ? -errno : fd, O_RDONLY);
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && st.st_size > 0) {
		mapped.size = (size_t)st.st_size;
		mapped.bytes = mmap(NULL, mapped.size, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	close(fd);
	if (mapped.bytes == MAP_FAILED)
		return;
	r->file = xreallocarray(r->file, r->n + 1, sizeof(*r->file));
	r->mapped = xreallocarray(r->mapped, r->n + 1, sizeof(*r->mapped));
	r->file[r->n] = (struct file){ .folder = number, .name = xstrdup(name) };
	r->mapped[r->n++] = mapped;
}

/* "libcuda.so": compilers look for such names, and programs by dlopen(3). */
static bool is_short(const char *name)
{
	size_t len = strlen(name);

	return !strcmp(name + len - strlen(".so"), ".so");
}

/* Return: 0, or negative errno: no more names are to be read. */
typedef int name_reader(struct reader *r, struct image_libraries *libraries, size_t number,
			int folder, const char *name, const struct statx *st);

static int read_file(struct reader *r, struct image_libraries *libraries, size_t number,
		     int folder, const char *name, const struct statx *st)
{
	(void)libraries;
	if (S_ISLNK(st->stx_mode) || !(number < r->n_whole || is_mounted(r, st)))
		return 0;
	if (r->n == IMAGE_LIBRARIES_MAX)
		return -E2BIG;
	map_file(r, number, folder, name);
	return 0;
}

static int open_folder(const struct reader *r, size_t number)
{
	return in_root_open(r->root, r->folders->word[number], O_RDONLY | O_DIRECTORY);
}

static int read_folder(struct reader *r, struct image_libraries *libraries, size_t number,
		       name_reader *read_name)
{
	int fd = open_folder(r, number), ret = 0;
	struct dirent *entry;
	struct statx st;
	DIR *dir;

	if (fd < 0)
		return 0;
	dir = xcheck(fdopendir(fd));
	while (!ret && (entry = readdir(dir)))
		if (library_is_name(entry->d_name) && !look(dirfd(dir), entry->d_name, &st))
			ret = read_name(r, libraries, number, dirfd(dir), entry->d_name, &st);
	closedir(dir);
	return ret;
}

/* The child may have written anything. */
static void take_said(struct file *file, const struct said *said)
{
	file->said = *said;
	file->said.soname[NAME_MAX] = '\0';
	if (!library_is_name(file->said.soname) || strchr(file->said.soname, '/'))
		strcpy(file->said.soname, file->name);
}

static int read_files(struct reader *r)
{
	struct said *said = xcalloc(r->n + 1, sizeof(*said));
	int ret = sandbox_parse_bytes(r->mapped, r->n * sizeof(*r->mapped), parse, NULL,
				      said, r->n * sizeof(*said));
	size_t i;

	for (i = 0; i < r->n && !ret; i++)
		take_said(&r->file[i], &said[i]);
	free(said);
	return ret;
}

static void add_library(struct image_libraries *libraries, const struct file *file,
			const char *key, uint32_t flags)
{
	libraries->library = xreallocarray(libraries->library, libraries->n + 1,
					   sizeof(*libraries->library));
	libraries->library[libraries->n++] = (struct image_library){
		.key = xstrdup(key), .folder = file->folder,
		.name = xstrdup(file->name), .flags = flags,
	};
}

static void add_files(struct image_libraries *libraries, const struct reader *r)
{
	size_t i;

	for (i = 0; i < r->n; i++) {
		const struct file *file = &r->file[i];

		if (!file->said.flags)
			continue;
		add_library(libraries, file, file->said.soname, file->said.flags);
		if (is_short(file->name))
			add_library(libraries, file, file->name, file->said.flags);
	}
}

/*
 * Adds a link to one of the files, by the name that this has or will have. Others are not
 * kept: an image of a compiler has thousands.
 */
static int read_link(struct reader *r, struct image_libraries *libraries, size_t number,
		     int folder, const char *name, const struct statx *st)
{
	char target[NAME_MAX + 1];
	ssize_t len = S_ISLNK(st->stx_mode) && is_short(name) ?
		      readlinkat(folder, name, target, NAME_MAX) : -1;
	size_t i;

	target[len > 0 ? len : 0] = '\0';
	r->compared += len > 0 ? r->n : 0;
	if (r->compared > COMPARISONS_MAX || libraries->n > 4 * IMAGE_LIBRARIES_MAX)
		return -E2BIG;
	for (i = 0; i < r->n && len > 0; i++) {
		struct file link = r->file[i];

		if (link.folder != number || !link.said.flags ||
		    (strcmp(target, link.name) && strcmp(target, link.said.soname)))
			continue;
		link.name = (char *)name;
		add_library(libraries, &link, name, link.said.flags);
		break;
	}
	return 0;
}

/*
 * Sorts libraries; the first of those that are the same for the loader counts: by
 * folder, then the one that has the name already, then the newest.
 */
static int compare(const void *a, const void *b)
{
	const struct image_library *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	if (order || x->flags != y->flags)
		return order ?: x->flags < y->flags ? -1 : 1;
	if (x->folder != y->folder)
		return x->folder < y->folder ? -1 : 1;
	order = !strcmp(y->name, y->key) - !strcmp(x->name, x->key);
	return order ?: strverscmp(y->name, x->name);
}

static void free_library(struct image_library *library)
{
	free(library->key);
	free(library->name);
}

static void drop_repeated(struct image_libraries *libraries)
{
	struct image_library *list = libraries->library;
	size_t i, n = 0;

	if (libraries->n)
		qsort(list, libraries->n, sizeof(*list), compare);
	for (i = 0; i < libraries->n; i++) {
		if (n && list[n - 1].flags == list[i].flags &&
		    !strcmp(list[n - 1].key, list[i].key))
			free_library(&list[i]);
		else
			list[n++] = list[i];
	}
	libraries->n = n;
}

/*
 * Nothing is made in a folder of the host's, and an empty file is what was mounted on at
 * an earlier start.
 */
static void find_room(struct image_library *library, const struct reader *r, int folder)
{
	struct statx st;

	if (folder < 0 || !strcmp(library->key, library->name))
		return;
	if (link_says(folder, library->key, library->name)) {
		free(library->name);
		library->name = xstrdup(library->key);
		return;
	}
	if (look(folder, "", &st) || is_mounted(r, &st))
		return;
	if (look(folder, library->key, &st))
		library->linked = errno == ENOENT;
	else
		library->linked = S_ISLNK(st.stx_mode) ||
				  (S_ISREG(st.stx_mode) && !st.stx_size && !is_mounted(r, &st));
}

static void find_rooms(struct image_libraries *libraries, const struct reader *r)
{
	size_t i, j;

	for (j = 0; j < r->folders->n; j++) {
		int folder = open_folder(r, j);

		for (i = 0; i < libraries->n; i++)
			if (libraries->library[i].folder == j)
				find_room(&libraries->library[i], r, folder);
		if (folder >= 0)
			close(folder);
	}
}

static void close_reader(struct reader *r)
{
	size_t i;

	for (i = 0; i < r->n; i++) {
		munmap((void *)r->mapped[i].bytes, r->mapped[i].size);
		free(r->file[i].name);
	}
	free(r->file);
	free(r->mapped);
}

int image_libraries_read(struct image_libraries *libraries, int root,
			 const struct strv *folders, size_t n_whole)
{
	struct reader r = { .root = root, .folders = folders, .n_whole = n_whole };
	struct statx st;
	int ret = look(root, "", &st) ? -errno : 0;
	size_t i;

	*libraries = (struct image_libraries){ 0 };
	if (!ret)
		r.mount = mount_of(&st);
	for (i = 0; i < folders->n && !ret; i++)
		ret = read_folder(&r, libraries, i, read_file);
	if (!ret && r.n)
		ret = read_files(&r);
	if (!ret)
		add_files(libraries, &r);
	for (i = 0; r.n && i < folders->n && !ret; i++)
		ret = read_folder(&r, libraries, i, read_link);
	if (!ret) {
		drop_repeated(libraries);
		find_rooms(libraries, &r);
	}
	close_reader(&r);
	return ret;
}

void image_libraries_free(struct image_libraries *libraries)
{
	size_t i;

	for (i = 0; i < libraries->n; i++)
		free_library(&libraries->library[i]);
	free(libraries->library);
	*libraries = (struct image_libraries){ 0 };
}
