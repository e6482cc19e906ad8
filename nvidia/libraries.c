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
#include "lib/text.h"
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
 * @folder:	those of its folders that are there, each listed once
 * @folder.path: as it is named; @folder.real: without links; @folder.same: it has another name
 * @folder.names: what may be a part, or a name of one; @folder.links: those that are links
 * @only:	a part that is looked for alone; NULL: all that were asked for
 * @found:	by part: its file; a NULL path: not found
 */
struct hunt {
	const struct library_search *search;
	const struct architecture *architecture;
	struct folder {
		char path[PATH_MAX], real[PATH_MAX];
		const struct folder *same;
		struct strv names, links;
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
	    (part->versioned && !path_ends(real, suffix))) {
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

/*
 * Keeps the names that may be a part's or a link's to it, of the thousands that there may be.
 * No configuration can say one that is not UTF-8.
 */
static void list_folder(const struct hunt *hunt, struct folder *folder, int fd)
{
	DIR *dir = xcheck(fdopendir(fd));
	char clean[NAME_MAX + 1];
	struct dirent *entry;
	struct stat file;

	while ((entry = readdir(dir))) {
		const char *name = entry->d_name;

		if ((!strstr(name, "nvidia") && !path_ends(name, hunt->search->version) &&
		     !path_ends(name, ".so")) || (has_prefix(name, "lib") &&
		     entry->d_type != DT_REG && entry->d_type != DT_LNK && entry->d_type))
			continue;
		text_copy(clean, sizeof(clean), name, NAME_MAX);
		if (strcmp(clean, name))
			continue;
		strv_add(&folder->names, name);
		if (entry->d_type == DT_LNK || (entry->d_type == DT_UNKNOWN &&
		    !fstatat(fd, name, &file, AT_SYMLINK_NOFOLLOW) && S_ISLNK(file.st_mode)))
			strv_add(&folder->links, name);
	}
	closedir(dir);
	strv_sort(&folder->names);
}

/* Returns a folder of the search, which it is from now on; NULL: it is not there. */
static const struct folder *add_folder(struct hunt *hunt, const char *path)
{
	struct folder *folder = &hunt->folder[hunt->n_folders], *at;
	int fd;

	for (at = hunt->folder; at < folder; at++)
		if (!strcmp(at->path, path) || !strcmp(at->real, path))
			return at->same ?: at;
	if (hunt->n_folders == FOLDERS_MAX || strlen(path) >= PATH_MAX)
		return NULL;
	fd = in_root_open(hunt->search->root->fd, path, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return NULL;
	if (in_root_below(hunt->search->root->name, fd, folder->real)) {
		close(fd);
		return NULL;
	}
	strcpy(folder->path, path);
	hunt->n_folders++;
	for (at = hunt->folder; at < folder; at++)
		if (!strcmp(at->real, folder->real)) {
			close(fd);
			return folder->same = at->same ?: at;
		}
	list_folder(hunt, folder, fd);
	return folder;
}

static const struct folder *folder_of(struct hunt *hunt, const char *file)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%.*s", (int)(path_name(file) - file - 1), file);
	return add_folder(hunt, path);
}

/*
 * Takes the file beside a cache's entry without opening it: ldconfig has read the header and
 * the SONAME, which is the entry's key.
 */
static bool take_listed(struct hunt *hunt, const struct part *part,
			const struct ldcache_entry *entry)
{
	const struct folder *folder = folder_of(hunt, entry->path);
	struct found *found = &hunt->found[part - parts];
	char name[PATH_MAX];

	if (!folder || !part->versioned || part->check == PART_TLS ||
	    part->check == PART_DIRECT || path_ends(entry->key, ".so") ||
	    !part_file(part, hunt->search->version, name) ||
	    !strv_have(&folder->names, name) || strv_have(&folder->links, name))
		return false;
	found->path = xasprintf("%s/%s", folder->real, name);
	snprintf(found->name, sizeof(found->name), "%.*s", NAME_MAX, name);
	found->soname = xstrdup(entry->key);
	return true;
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
		if (!part || part->folder || !is_sought(hunt, part) ||
		    take_listed(hunt, part, &entry))
			continue;
		try_file(hunt, part, &hunt->found[part - parts], entry.path);
		if (hunt->found[part - parts].path)
			folder_of(hunt, hunt->found[part - parts].path);
	}
}

/* In the cache, then in folders. */
static void search_parts(struct hunt *hunt)
{
	char name[PATH_MAX], path[3 * PATH_MAX];
	const struct folder *folder;
	const struct part *part;

	search_cache(hunt);
	for (part = parts; part->name; part++)
		for (folder = hunt->folder; folder < hunt->folder + hunt->n_folders; folder++) {
			if (!is_sought(hunt, part) || folder->same ||
			    !part_file(part, hunt->search->version, name) ||
			    (!part->folder && !strv_have(&folder->names, name)))
				continue;
			snprintf(path, sizeof(path), "%s/%s%s%s", folder->path,
				 part->folder ?: "", part->folder ? "/" : "", name);
			try_file(hunt, part, &hunt->found[part - parts], path);
		}
}

/* "/usr/lib/nvidia*" stands for all that begin so. */
static void add_folders(struct hunt *hunt, const char *pattern)
{
	const struct folder *parent = strchr(pattern, '*') ? folder_of(hunt, pattern) : NULL;
	char path[2 * PATH_MAX];
	size_t i;

	if (!strchr(pattern, '*'))
		add_folder(hunt, pattern);
	for (i = 0; parent && i < parent->names.n; i++) {
		if (fnmatch(path_name(pattern), parent->names.word[i], 0))
			continue;
		snprintf(path, sizeof(path), "%s/%s", parent->path, parent->names.word[i]);
		add_folder(hunt, path);
	}
}

/* Programs are linked with a name without a number, if this machine has a link of that name. */
static void add_library(struct hunt *hunt, const struct part *part, const struct found *found,
			const char *place)
{
	const struct folder *folder = folder_of(hunt, found->path);
	const char *name = found->soname ?: found->name, *end = strstr(name, ".so.");
	char *link = xasprintf("%.*s.so", end ? (int)(end - name) : 0, name);
	struct driver_files *files = hunt->search->files;

	driver_files_add(files, hunt->architecture->kind, part, found->path, place, found->soname);
	if (end && folder && strv_have(&folder->links, link))
		files->file[files->n - 1].devel = xstrdup(link);
	free(link);
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

static void add_others(struct hunt *hunt, const struct folder *folder)
{
	char end[PATH_MAX], path[2 * PATH_MAX];
	size_t i;

	snprintf(end, sizeof(end), ".so.%s", hunt->search->version);
	for (i = 0; i < folder->names.n; i++) {
		const char *name = folder->names.word[i];
		struct found found = { 0 };

		if (!has_prefix(name, "lib") || !path_ends(name, end) || part_find(name))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder->path, name);
		try_file(hunt, &part_other, &found, path);
		if (found.path && !have_place(hunt, found.name))
			add_library(hunt, &part_other, &found, found.name);
		free(found.path);
		free(found.soname);
	}
}

/*
 * Libraries that are in no table are beside those of the table that were found; if none was,
 * beside the first one that is there, for whatever capability that is: it is the same folder
 * for all containers.
 */
static void search_others(struct hunt *hunt)
{
	const struct folder *folders[FOLDERS_MAX + 1];
	const struct part *part;
	size_t n = 0, i;

	if (!part_is_for(&part_other, hunt->search->capabilities))
		return;
	for (part = parts; part->name; part++) {
		const struct found *found = &hunt->found[part - parts];

		hunt->only = part;
		if (!n && part->kind == DRIVER_LIBRARY && !is_wanted(hunt, part))
			search_parts(hunt);
		folders[n] = found->path && !part->folder ? folder_of(hunt, found->path) : NULL;
		for (i = 0; folders[i] && folders[i] != folders[n]; i++)
			;
		if (i == n && folders[n])
			n++;
	}
	for (i = 0; i < n; i++)
		add_others(hunt, folders[i]);
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
	size_t i, n = 1;
	const struct part *part;

	for (i = 0; i < hunt->n_folders; i++)
		if (!hunt->folder[i].same)
			places[n++] = hunt->folder[i].path;
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
	for (i = 0; i < hunt.n_folders; i++) {
		strv_free(&hunt.folder[i].names);
		strv_free(&hunt.folder[i].links);
	}
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
