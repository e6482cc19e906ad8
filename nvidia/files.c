// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's files: all but the libraries are found by their paths.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/in_root.h"
#include "lib/path.h"
#include "lib/strv.h"
#include "lib/text.h"
#include "lib/xalloc.h"
#include "nvidia/internal.h"

/* Behind those of PATH. */
#define PROGRAM_FOLDERS \
	"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/nvidia/bin"

/* The folder where the kernel is told to look for firmware first. */
#define FIRMWARE_PATH	"/sys/module/firmware_class/parameters/path"

/**
 * struct search - a search
 * @libraries:	the folders where libraries were found
 * @capabilities: enum capability: what only others take is not looked for
 * @nix:	NIX_DATA is there
 */
struct search {
	const struct driver_root *root;
	const char *version;
	unsigned int capabilities;
	struct driver_files *files;
	struct strv libraries;
	bool nix;
};

const char *const driver_file_kinds[] = {
	[DRIVER_LIBRARY] = "library", [DRIVER_LIBRARY32] = "32-bit library",
	[DRIVER_PROGRAM] = "program", [DRIVER_SOCKET] = "socket",
	[DRIVER_FIRMWARE] = "firmware", [DRIVER_DATA] = "configuration",
};

static char *copy(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

/*
 * Adds a file. @path: below the root, no link in it; @place: as in struct driver_file;
 * @soname: NULL: it has none
 */
void driver_files_add(struct driver_files *files, enum driver_file_kind kind,
		      const struct part *part, const char *path, const char *place,
		      const char *soname)
{
	struct driver_file *file;

	files->file = xreallocarray(files->file, files->n + 1, sizeof(*file));
	file = &files->file[files->n++];
	*file = (struct driver_file){
		.kind = kind,
		.path = copy(path),
		.place = copy(place),
		.soname = copy(soname),
		.link = copy(part->link),
		.part = part->name,
		.capabilities = part->capabilities,
	};
	if (part->link)
		file->target = copy(part->target ?: path_name(place));
}

/* Notes a part that is in none of @places, which NULL ends; NULL: its name is its path. */
void driver_files_lack(struct driver_files *files, enum driver_file_kind kind,
		       const struct part *part, const char *version,
		       const char *const *places)
{
	char *line = xasprintf("missing %s %s%s%s", driver_file_kinds[kind], part->name,
			       part->suffix ?: "", part->versioned ? version : ""), *longer;
	const char *between = ": not in ";

	for (; places && *places; places++, between = ", ") {
		longer = xasprintf("%s%s%s", line, between, *places);
		free(line);
		line = longer;
	}
	strv_add(&files->missing, line);
	free(line);
}

static bool look(const struct search *search, const char *path,
		 struct stat *file, char real[PATH_MAX])
{
	int fd = in_root_open(search->root->fd, path, O_PATH);
	bool found;

	if (fd < 0)
		return false;
	found = !fstat(fd, file) && !in_root_below(search->root->name, fd, real);
	close(fd);
	return found;
}

/*
 * A script calls the program somewhere else (seen of nvidia-smi: it sets
 * LD_LIBRARY_PATH), where a container does not have it: it is taken only if there
 * is nothing else of that name.
 */
static void find_program(struct search *search, const struct part *part, const struct strv *folders)
{
	char path[PATH_MAX], real[PATH_MAX], script[PATH_MAX] = "";
	struct stat file;
	bool found, text;
	char mark[2];
	size_t i;
	int fd;

	for (i = 0; i < folders->n; i++) {
		if (snprintf(path, sizeof(path), "%s/%s", folders->word[i], part->name) >= PATH_MAX)
			continue;
		fd = in_root_open(search->root->fd, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
		if (fd == -EACCES)	/* it may be executed all the same */
			fd = in_root_open(search->root->fd, path, O_PATH);
		if (fd < 0)
			continue;
		found = !fstat(fd, &file) && S_ISREG(file.st_mode) && (file.st_mode & 0111) &&
			!in_root_below(search->root->name, fd, real);
		text = found && read(fd, mark, sizeof(mark)) == 2 && !memcmp(mark, "#!", 2);
		close(fd);
		if (found && !text) {
			driver_files_add(search->files, DRIVER_PROGRAM, part, real, part->name, NULL);
			return;
		}
		if (found && !script[0])
			strcpy(script, real);
	}
	if (script[0])
		driver_files_add(search->files, DRIVER_PROGRAM, part, script, part->name, NULL);
}

/* Finds each part of a kind that is sought; @folders: where, NULL: the part says it. */
static void find_parts(struct search *search, enum driver_file_kind kind,
		       void (*find)(struct search *search, const struct part *part,
				    const struct strv *folders),
		       const struct strv *folders)
{
	const struct part *part;
	size_t before;

	for (part = parts; part->name; part++) {
		if (part->kind != kind || !part_is_for(part, search->capabilities))
			continue;
		before = search->files->n;
		find(search, part, folders);
		if (search->files->n == before)
			driver_files_lack(search->files, kind, part, search->version, folders ?
					  (const char *const *)folders->word : part->data);
	}
}

/* Looks in the folders that exist, each once: /bin is /usr/bin, as a rule. */
static void find_programs(struct search *search)
{
	/* NixOS has programs where only PATH leads. */
	char *list = xasprintf("%s:" PROGRAM_FOLDERS, secure_getenv("PATH") ?: "");
	struct strv all = { 0 }, names = { 0 }, folders = { 0 };
	char real[PATH_MAX];
	struct stat folder;
	size_t i;

	strv_split(&all, list, ':');
	for (i = 0; i < all.n; i++)
		strv_add_once(&names, all.word[i]);
	for (i = 0; i < names.n; i++)
		if (names.word[i][0] == '/' && look(search, names.word[i], &folder, real))
			strv_add_once(&folders, real);
	find_parts(search, DRIVER_PROGRAM, find_program, &folders);
	strv_free(&folders);
	strv_free(&names);
	strv_free(&all);
	free(list);
}

/*
 * A folder of sockets is taken only from root or from the caller: everybody may
 * make one in /tmp, or a link there that leads to any folder.
 */
static bool is_socket(const struct part *part, const char *path,
		      const struct stat *file, const char *real)
{
	if (S_ISSOCK(file->st_mode))
		return true;
	return part->variable && S_ISDIR(file->st_mode) &&
	       (!file->st_uid || file->st_uid == geteuid()) &&
	       !strcmp(strrchr(path, '/'), strrchr(real, '/'));
}

/*
 * May everybody write the folder that a path is in? The sticky bit keeps no root out.
 */
static bool is_shared(const struct search *search, const char *path)
{
	char folder[PATH_MAX], real[PATH_MAX];
	struct stat file;

	snprintf(folder, sizeof(folder), "%.*s/", (int)(strrchr(path, '/') - path), path);
	return !look(search, folder, &file, real) || (file.st_mode & S_IWOTH);
}

static void find_socket(struct search *search, const struct part *part, const struct strv *unused)
{
	const char *named = part->variable ? secure_getenv(part->variable) : NULL;
	const char *path = named && named[0] == '/' ? named : part->name;
	char real[PATH_MAX];
	struct stat file;

	(void)unused;
	if (!look(search, path, &file, real) || !is_socket(part, path, &file, real))
		return;
	driver_files_add(search->files, DRIVER_SOCKET, part, real, path, NULL);
	search->files->file[search->files->n - 1].shared =
		path == part->name && is_shared(search, real);
}

/* Reads the names of a folder that fit, as list_folder() takes them; in the order of strcmp(). */
static void list_names(int root, const char *path, const char *pattern, struct strv *names)
{
	int fd = in_root_open(root, path, O_RDONLY | O_DIRECTORY);
	char clean[NAME_MAX + 1];
	struct dirent *entry;
	DIR *folder;

	if (fd < 0)
		return;
	folder = xcheck(fdopendir(fd));
	while ((entry = readdir(folder))) {
		text_copy(clean, sizeof(clean), entry->d_name, NAME_MAX);
		if (!fnmatch(pattern, entry->d_name, 0) && !strcmp(clean, entry->d_name))
			strv_add(names, entry->d_name);
	}
	closedir(folder);
	strv_sort(names);
}

/* Is a file of that name there from a folder that loaders look into before this one? */
static bool have_datum(const struct search *search, const struct part *part, const char *name)
{
	const struct driver_files *files = search->files;
	size_t i;

	for (i = 0; i < files->n; i++)
		if (files->file[i].part == part->name &&
		    !strcmp(path_name(files->file[i].place), name))
			return true;
	return false;
}

/* Adds what a folder has of a part; @shown: where images look for it. */
static void add_data(struct search *search, const struct part *part, const char *folder,
		     const char *shown)
{
	char name[PATH_MAX], path[3 * PATH_MAX], place[3 * PATH_MAX], real[PATH_MAX];
	struct strv names = { 0 };
	struct stat file;
	size_t i;
	int len;

	if (!part_file(part, search->version, name))
		return;
	len = (int)(path_name(name) - name);
	snprintf(path, sizeof(path), "%s/%.*s", folder, len, name);
	if (strchr(name, '*'))
		list_names(search->root->fd, path, name + len, &names);
	else
		strv_add(&names, name + len);
	for (i = 0; i < names.n; i++) {
		const char *found = names.word[i];

		snprintf(path, sizeof(path), "%s/%.*s%s", folder, len, name, found);
		snprintf(place, sizeof(place), "%s/%.*s%s", shown, len, name, found);
		if (!have_datum(search, part, found) && look(search, path, &file, real) &&
		    S_ISREG(file.st_mode))
			driver_files_add(search->files, DRIVER_DATA, part, real, place, NULL);
	}
	strv_free(&names);
}

/*
 * Images look for what NixOS and an installer with a prefix have elsewhere in /usr/share, for
 * GKE's, in the driver's root, in /etc, and for OpenCL's nowhere but in /etc.
 */
static void find_datum(struct search *search, const struct part *part, const struct strv *unused)
{
	const char *const *folder, *shown;
	char path[2 * PATH_MAX];
	size_t i;

	(void)unused;
	for (folder = part->data; *folder; folder++) {
		shown = !strcmp(*folder, NIX_DATA) || !strcmp(*folder, "/usr/local/share") ?
			"/usr/share" : **folder ? *folder : "/etc";
		if (!**folder || (**folder == '/' && (search->nix || strcmp(*folder, NIX_DATA))))
			add_data(search, part, *folder, part->folder ?: shown);
		for (i = 0; **folder && **folder != '/' && i < search->libraries.n; i++) {
			snprintf(path, sizeof(path), "%s/%s", search->libraries.word[i], *folder);
			add_data(search, part, path, path);
		}
	}
}

static int find_firmware_in(struct search *search, const char *parent)
{
	char folder[PATH_MAX], path[2 * PATH_MAX], real[PATH_MAX];
	struct strv names = { 0 };
	struct stat file;
	int ret = 0;
	size_t i;

	if (snprintf(folder, sizeof(folder), "%s/nvidia/%s", parent, search->version) >= PATH_MAX)
		return 0;
	list_names(search->root->fd, folder, "gsp*.bin", &names);
	for (i = 0; i < names.n; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names.word[i]);
		if (!look(search, path, &file, real) || !S_ISREG(file.st_mode))
			continue;
		driver_files_add(search->files, DRIVER_FIRMWARE, &part_firmware, real, path, NULL);
		ret++;
	}
	strv_free(&names);
	return ret;
}

/* The folder that an operator has told the kernel: it is of this machine. */
static void add_custom_firmware(const struct search *search, struct strv *folders)
{
	int fd = in_root_open(search->root->fd, FIRMWARE_PATH, O_RDONLY | O_NONBLOCK);
	char path[PATH_MAX] = "";

	if (fd < 0)
		return;
	if (read(fd, path, sizeof(path) - 1) > 0 && path[0] == '/')
		strv_add_format(folders, "%.*s", (int)strcspn(path, "\n"), path);
	close(fd);
}

static void find_firmware(struct search *search)
{
	struct strv folders = { 0 };
	struct utsname kernel;
	int found = 0;
	size_t i;

	add_custom_firmware(search, &folders);
	uname(&kernel);
	/* In the kernel's order: fw_path of its drivers/base/firmware_loader/main.c. */
	strv_add_format(&folders, "/lib/firmware/updates/%s", kernel.release);
	strv_add(&folders, "/lib/firmware/updates");
	strv_add_format(&folders, "/lib/firmware/%s", kernel.release);
	strv_add(&folders, "/lib/firmware");
	strv_add(&folders, "/usr/lib/firmware");
	for (i = 0; i < folders.n && !found; i++)
		found = find_firmware_in(search, folders.word[i]);
	if (!found)
		driver_files_lack(search->files, DRIVER_FIRMWARE, &part_firmware, "",
				  (const char *const *)folders.word);
	strv_free(&folders);
}

/* A cache that cannot be read has no entries: folders are searched then. */
static void open_cache(const struct search *search, const char *path, struct ldcache *cache)
{
	int fd = in_root_open(search->root->fd, path, O_RDONLY | O_NONBLOCK);
	void *bytes = MAP_FAILED;
	struct stat file;

	if (fd < 0)
		return;
	if (!fstat(fd, &file) && S_ISREG(file.st_mode) && file.st_size > 0 &&
	    file.st_size <= LDCACHE_SIZE_MAX)
		bytes = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (bytes == MAP_FAILED)
		return;
	if (ldcache_open(cache, bytes, (size_t)file.st_size)) {
		munmap(bytes, (size_t)file.st_size);
		*cache = (struct ldcache){ 0 };
	}
}

static void find_libraries(struct search *search, const char *ldcache)
{
	struct ldcache cache = { 0 };
	size_t i;
	const struct library_search libraries = {
		.root = search->root, .version = search->version,
		.capabilities = search->capabilities, .cache = &cache,
		.files = search->files,
	};

	open_cache(search, ldcache, &cache);
	libraries_find(&libraries);
	for (i = 0; i < search->files->n; i++) {
		const struct driver_file *file = &search->files->file[i];
		char *folder = xasprintf("%.*s", (int)(path_name(file->path) - file->path - 1),
					 file->path);

		if (file->kind == DRIVER_LIBRARY && !strchr(file->place, '/'))
			strv_add_once(&search->libraries, folder);
		free(folder);
	}
	if (cache.file)
		munmap((void *)cache.file, cache.file_size);
}

/*
 * Finds those that a container takes. A missing file is no error: whether a container can do
 * without it the caller knows.
 */
int driver_files_find(struct driver_files *files, const struct driver_root *root,
		      const char *version, unsigned int capabilities,
		      const char *ldcache, char why[WHY_SIZE])
{
	struct search search = {
		.root = root, .version = version, .capabilities = capabilities,
		.files = files, .nix = in_root_exists(root->fd, NIX_DATA),
	};
	int ret;

	*files = (struct driver_files){ 0 };
	/* A file that cannot be looked for is not missing. */
	ret = in_root_open(root->fd, "/", O_PATH);
	if (ret < 0)
		return in_root_fail(why, ret, root->files, "/");
	close(ret);
	find_libraries(&search, ldcache && *ldcache ? ldcache : "/etc/ld.so.cache");
	find_programs(&search);
	find_parts(&search, DRIVER_SOCKET, find_socket, NULL);
	find_firmware(&search);
	find_parts(&search, DRIVER_DATA, find_datum, NULL);
	strv_free(&search.libraries);
	return 0;
}

void driver_files_free(struct driver_files *files)
{
	size_t i;

	for (i = 0; i < files->n; i++) {
		free(files->file[i].path);
		free(files->file[i].place);
		free(files->file[i].soname);
		free(files->file[i].link);
		free(files->file[i].target);
		free(files->file[i].devel);
	}
	free(files->file);
	strv_free(&files->missing);
	*files = (struct driver_files){ 0 };
}
