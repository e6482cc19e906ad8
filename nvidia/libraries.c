// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's libraries: through ld.so.cache, and what is not in it, in folders.
 */
#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/in_root.h"
#include "lib/arch.h"
#include "lib/library.h"
#include "lib/path.h"
#include "lib/xalloc.h"
#include "nvidia/internal.h"

/* Bits that entries of ld.so.cache of one architecture share. */
#define FLAGS_MASK	0xff00

#if defined(__x86_64__)
#define MACHINE		EM_X86_64
#define MACHINE32	EM_386
#elif defined(__aarch64__)
#define MACHINE		EM_AARCH64
#define MACHINE32	EM_ARM
#else
#error "what does ELF call this machine?"
#endif

/*
 * Folders where distributions, the driver's installer, NixOS, Talos and containers that
 * install drivers put libraries. Their names are not relied on for the architecture:
 * the files' headers say it.
 */
static const char *const folders[] = {
	"/usr/lib64", "/usr/lib/" TRIPLET, "/usr/lib/" TRIPLET "/nvidia/current",
	"/usr/lib64/nvidia", "/usr/lib", "/lib64", "/lib/" TRIPLET, "/lib",
	"/usr/lib/nvidia*", "/run/opengl-driver/lib", "/usr/local/nvidia/lib64",
	"/usr/local/glibc/usr/lib64", "/usr/local/glibc/usr/lib", "/usr/lib/wsl/lib", NULL
};

static const char *const folders32[] = {
	"/usr/lib32", "/usr/lib/" TRIPLET32,
	"/usr/lib/" TRIPLET32 "/nvidia/current", "/usr/lib/nvidia", "/usr/lib",
	"/lib32", "/lib/" TRIPLET32, "/lib", "/usr/lib32/nvidia*",
	"/run/opengl-driver-32/lib", "/usr/local/nvidia/lib", NULL
};

struct architecture {
	enum driver_file_kind kind;
	uint32_t flags;
	uint16_t machine;
	bool is_64;
	const char *const *folders;
};

static const struct architecture native = {
	DRIVER_LIBRARY, LDCACHE_NATIVE, MACHINE, true, folders
};
static const struct architecture native32 = {
	DRIVER_LIBRARY32, LDCACHE_NATIVE32, MACHINE32, false, folders32
};

/* More than any machine has: "/usr/lib/nvidia*" may be many. */
#define FOLDERS_MAX	64

/**
 * struct hunt - the search for libraries of one architecture
 * @folder:	those of its folders that are there, each once
 * @only:	a part that is looked for alone; NULL: all that were asked for
 * @found:	by part: its file; a NULL path: not found
 */
struct hunt {
	const struct library_search *search;
	const struct architecture *architecture;
	struct folder {
		char path[PATH_MAX];
		int fd;
		dev_t dev;
		ino_t ino;
	} *folder;
	size_t n_folders;
	const struct part *only;
	struct found {
		char *path, *soname;
		char name[NAME_MAX + 1];
	} *found;
};

static bool has_prefix(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static bool has_suffix(const char *text, const char *suffix)
{
	size_t len = strlen(text), end = strlen(suffix);

	return len >= end && !strcmp(text + len - end, suffix);
}

/* Is it needed, in whatever version? */
static bool is_needed(const struct library *library, const char *name)
{
	size_t i;

	for (i = 0; i < library->needs.n; i++)
		if (has_prefix(library->needs.word[i], name))
			return true;
	return false;
}

static bool is_right(const struct hunt *hunt, const struct part *part,
		     const struct library *library)
{
	static const uint32_t threads[3] = { 2, 3, 99 };

	if (library->machine != hunt->architecture->machine ||
	    library->is_64 != hunt->architecture->is_64)
		return false;
	if (part->check == PART_TLS)
		return !memcmp(library->system, threads, sizeof(threads));
	if (part->check == PART_DIRECT)
		return is_needed(library, "libnvidia-glcore.so.") ||
		       is_needed(library, "libnvidia-eglcore.so.");
	return true;
}

static void try_file(struct hunt *hunt, const struct part *part,
		     struct found *found, const char *path)
{
	const struct library_search *search = hunt->search;
	char real[PATH_MAX], suffix[PATH_MAX];
	struct library library;
	int fd = in_root_open(search->root->fd, path, O_RDONLY | O_NONBLOCK | O_NOCTTY), ret;

	if (fd < 0)
		return;
	snprintf(suffix, sizeof(suffix), ".so.%s", search->version);
	if (in_root_below(search->root->name, fd, real) ||
	    (part->versioned && !has_suffix(real, suffix))) {
		close(fd);
		return;
	}
	ret = library_read(fd, &library);
	close(fd);
	if (!ret && is_right(hunt, part, &library)) {
		/* A link of another name stands for itself: GBM's backend is one. */
		path = has_prefix(path_name(real), part->name) ? real : path;
		snprintf(found->name, sizeof(found->name), "%.*s", NAME_MAX, path_name(path));
		found->path = xstrdup(real);
		if (!strncmp(library.soname, found->name, strcspn(found->name, ".")))
			found->soname = xstrdup(library.soname);
	}
	library_free(&library);
}

static bool is_wanted(const struct hunt *hunt, const struct part *part)
{
	return part->kind == DRIVER_LIBRARY && part_is_for(part, hunt->search->capabilities);
}

static bool is_sought(const struct hunt *hunt, const struct part *part)
{
	return !hunt->found[part - parts].path &&
	       (hunt->only ? part == hunt->only : is_wanted(hunt, part));
}

/* Returns a folder of the search, which it is from now on; NULL: it is not there. */
static const struct folder *add_folder(struct hunt *hunt, const char *path)
{
	struct folder *folder = &hunt->folder[hunt->n_folders];
	struct stat file;
	size_t i;

	for (i = 0; i < hunt->n_folders; i++)
		if (!strcmp(hunt->folder[i].path, path))
			return &hunt->folder[i];
	if (hunt->n_folders == FOLDERS_MAX || strlen(path) >= PATH_MAX)
		return NULL;
	folder->fd = in_root_open(hunt->search->root->fd, path, O_RDONLY | O_DIRECTORY);
	if (folder->fd < 0)
		return NULL;
	if (fstat(folder->fd, &file)) {
		close(folder->fd);
		return NULL;
	}
	for (i = 0; i < hunt->n_folders; i++)
		if (hunt->folder[i].dev == file.st_dev && hunt->folder[i].ino == file.st_ino) {
			close(folder->fd);
			return &hunt->folder[i];
		}
	strcpy(folder->path, path);
	folder->dev = file.st_dev;
	folder->ino = file.st_ino;
	hunt->n_folders++;
	return folder;
}

static const struct folder *folder_of(struct hunt *hunt, const struct found *found)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%.*s",
		 (int)(path_name(found->path) - found->path - 1), found->path);
	return add_folder(hunt, path);
}

/* The search goes on in the folders that only the cache knows, and below them. */
static void search_cache(struct hunt *hunt)
{
	const struct ldcache *cache = hunt->search->cache;
	struct ldcache_entry entry;
	const struct part *part;
	uint32_t i;

	for (i = 0; i < cache->n; i++) {
		if (!ldcache_entry(cache, i, &entry) || !(entry.flags & 1) ||
		    (entry.flags & FLAGS_MASK) !=
		    (hunt->architecture->flags & FLAGS_MASK))
			continue;
		part = part_find(entry.key);
		if (!part || part->folder || !is_sought(hunt, part))
			continue;
		try_file(hunt, part, &hunt->found[part - parts], entry.path);
		if (hunt->found[part - parts].path)
			folder_of(hunt, &hunt->found[part - parts]);
	}
}

static void search_folder(struct hunt *hunt, const struct folder *folder, const struct part *part)
{
	char name[PATH_MAX], path[3 * PATH_MAX];
	struct stat file;

	if (!part_file(part, hunt->search->version, name))
		return;
	snprintf(path, sizeof(path), "%s/%s%s%s", folder->path,
		 part->folder ?: "", part->folder ? "/" : "", name);
	/* Most names are not there: that is found out with one call. */
	if (fstatat(folder->fd, path + strlen(folder->path) + 1, &file, AT_SYMLINK_NOFOLLOW))
		return;
	try_file(hunt, part, &hunt->found[part - parts], path);
}

static void search_folders(struct hunt *hunt)
{
	const struct part *part;
	size_t i;

	for (part = parts; part->name; part++)
		for (i = 0; i < hunt->n_folders; i++)
			if (is_sought(hunt, part))
				search_folder(hunt, &hunt->folder[i], part);
}

/* Reads the names of a folder that fit; in the order of strcmp(). */
void list_names(int root, const char *path, const char *pattern, struct strv *names)
{
	int fd = in_root_open(root, path, O_RDONLY | O_DIRECTORY);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!folder) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(folder)))
		if (!fnmatch(pattern, entry->d_name, 0))
			strv_add(names, entry->d_name);
	closedir(folder);
	strv_sort(names);
}

/* "/usr/lib/nvidia*" stands for all that begin so. */
static void add_folders(struct hunt *hunt, const char *pattern)
{
	char parent[PATH_MAX], path[2 * PATH_MAX];
	struct strv names = { 0 };
	size_t i;

	if (!strchr(pattern, '*')) {
		add_folder(hunt, pattern);
		return;
	}
	snprintf(parent, sizeof(parent), "%.*s", (int)(path_name(pattern) - pattern - 1), pattern);
	list_names(hunt->search->root->fd, parent, path_name(pattern), &names);
	for (i = 0; i < names.n; i++) {
		snprintf(path, sizeof(path), "%s/%s", parent, names.word[i]);
		add_folder(hunt, path);
	}
	strv_free(&names);
}

/*
 * Returns the name without a number that programs are linked with, if this machine has a link
 * of that name beside the library; else NULL.
 */
static char *find_devel(struct hunt *hunt, const struct found *found)
{
	const struct folder *folder = folder_of(hunt, found);
	const char *name = found->soname ?: found->name, *end = strstr(name, ".so.");
	struct stat file;
	char *link;

	if (!end || !folder)
		return NULL;
	link = xasprintf("%.*s.so", (int)(end - name), name);
	if (!fstatat(folder->fd, link, &file, AT_SYMLINK_NOFOLLOW) && S_ISLNK(file.st_mode))
		return link;
	free(link);
	return NULL;
}

static void add_library(struct hunt *hunt, const struct part *part, const struct found *found,
			const char *place)
{
	struct driver_files *files = hunt->search->files;

	driver_files_add(files, hunt->architecture->kind, part, found->path, place, found->soname);
	files->file[files->n - 1].devel = find_devel(hunt, found);
}

static bool have_place(const struct hunt *hunt, const char *place)
{
	const struct driver_files *files = hunt->search->files;
	size_t i;

	for (i = 0; i < files->n; i++)
		if (files->file[i].kind == hunt->architecture->kind &&
		    !strcmp(files->file[i].place, place))
			return true;
	return false;
}

static void add_others(struct hunt *hunt, const char *folder)
{
	char path[2 * PATH_MAX];
	struct strv names = { 0 };
	size_t i;

	snprintf(path, sizeof(path), "lib*.so.%s", hunt->search->version);
	list_names(hunt->search->root->fd, folder, path, &names);
	for (i = 0; i < names.n; i++) {
		struct found found = { 0 };

		if (part_find(names.word[i]))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, names.word[i]);
		try_file(hunt, &part_other, &found, path);
		if (found.path && !have_place(hunt, found.name))
			add_library(hunt, &part_other, &found, found.name);
		free(found.path);
		free(found.soname);
	}
	strv_free(&names);
}

static void search_parts(struct hunt *hunt)
{
	search_cache(hunt);
	search_folders(hunt);
}

/*
 * Libraries that are in no table are beside those of the table that were found; if none was,
 * beside the first one that is there, for whatever capability that is: it is the same folder
 * for all containers.
 */
static void search_others(struct hunt *hunt)
{
	struct strv folders = { 0 };
	const struct part *part;
	size_t i;

	if (!part_is_for(&part_other, hunt->search->capabilities))
		return;
	for (part = parts; part->name; part++) {
		const struct found *found = &hunt->found[part - parts];
		const struct folder *folder;

		hunt->only = part;
		if (!folders.n && part->kind == DRIVER_LIBRARY && !is_wanted(hunt, part))
			search_parts(hunt);
		folder = found->path && !part->folder ? folder_of(hunt, found) : NULL;
		if (folder && !strv_have(&folders, folder->path))
			strv_add(&folders, folder->path);
	}
	for (i = 0; i < folders.n; i++)
		add_others(hunt, folders.word[i]);
	strv_free(&folders);
}

/* GBM's backend is a link to the allocator, which packages for containers may lack. */
static void find_same(struct hunt *hunt, const struct part *part, struct found *found)
{
	const struct found *same = &hunt->found[part_find(part->is) - parts];

	if (!same->path || found->path || !is_wanted(hunt, part))
		return;
	found->path = xstrdup(same->path);
	snprintf(found->name, sizeof(found->name), "%s%s", part->name, part->suffix);
}

static void add_found(struct hunt *hunt)
{
	const char *places[FOLDERS_MAX + 2] = { "ld.so.cache" };
	bool glvnd = false;
	size_t i;
	const struct part *part;

	for (i = 0; i < hunt->n_folders; i++)
		places[i + 1] = hunt->folder[i].path;
	for (part = parts; part->name; part++)
		if (hunt->found[part - parts].path && part->check == PART_GLVND)
			glvnd = true;
	for (part = parts; part->name; part++) {
		struct found *found = &hunt->found[part - parts];
		char place[PATH_MAX];

		if (part->is)
			find_same(hunt, part, found);
		if (!found->path && is_wanted(hunt, part))
			driver_files_lack(hunt->search->files, hunt->architecture->kind, part,
					  hunt->search->version, places);
		if (!found->path || (glvnd && part->check == PART_DIRECT))
			continue;
		snprintf(place, sizeof(place), "%s%s%s", part->folder ?: "",
			 part->folder ? "/" : "", found->name);
		add_library(hunt, part, found, place);
	}
}

static void search_architecture(const struct library_search *search,
				const struct architecture *architecture)
{
	struct hunt hunt = { .search = search, .architecture = architecture };
	size_t i, n = 0;

	while (parts[n].name)
		n++;
	hunt.found = xcalloc(n, sizeof(*hunt.found));
	hunt.folder = xcalloc(FOLDERS_MAX + 1, sizeof(*hunt.folder));
	for (i = 0; architecture->folders[i]; i++)
		add_folders(&hunt, architecture->folders[i]);
	search_parts(&hunt);
	add_found(&hunt);
	search_others(&hunt);
	for (i = 0; i < hunt.n_folders; i++)
		close(hunt.folder[i].fd);
	for (i = 0; i < n; i++) {
		free(hunt.found[i].path);
		free(hunt.found[i].soname);
	}
	free(hunt.found);
	free(hunt.folder);
}

/* Finds them, those of 32 bits behind the others, each in the table's order. */
void libraries_find(const struct library_search *search)
{
	search_architecture(search, &native);
	if (search->capabilities & CAPABILITY_COMPAT32)
		search_architecture(search, &native32);
}
