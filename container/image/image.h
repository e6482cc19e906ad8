/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A container before it runs: as its engine has described it, and what its image has. An
 * image is only read, never left through a link, and what it has is parsed in the sandbox.
 */
#ifndef MPU_CONTAINER_IMAGE_H
#define MPU_CONTAINER_IMAGE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/strv.h"
#include "lib/why.h"
#include "nvidia/nvidia.h"

struct json_object;

/**
 * struct container - a container, as far as it asks for GPUs
 * @sources, @destinations: of its mounts, at the same index; "": a source that is not named
 * @kinds:	likewise: 'b' in it: a bind mount, 'r': nothing can be made in it, for it is
 *		read-only from the start, 'm': users are mapped in it
 */
struct container {
	struct strv env;			/* "NAME=VALUE" of its process */
	struct strv sources, destinations, kinds;
	struct strv annotation_names, annotation_values;
	bool privileged;			/* CAP_SYS_ADMIN is in its bounding set */
	char *root;				/* absolute */
	bool read_only;				/* its root is not to be written to */
	struct json_object *users;		/* linux.uidMappings, or NULL */
};

/**
 * container_read() - read it out of config.json
 * @bundle:	absolute: a relative root is below it
 *
 * Return: 0, or negative errno and a sentence in @why. Either way container_free() follows.
 */
int container_read(struct container *container, struct json_object *config,
		   const char *bundle, char why[WHY_SIZE]);

/** container_is_read_only() - is the root of a config.json one that nobody is to write to? */
bool container_is_read_only(struct json_object *config);

/** container_env() - the last of that name; NULL: not set */
const char *container_env(const struct container *container, const char *name);

void container_free(struct container *container);

/* "v11.6.2-rc1+build", read as NVIDIA's toolkit does: "v" or not, of one to three numbers. */
struct version {
	uint64_t number[3];	/* 0 for one that is missing */
	int before;		/* has a "-rc1": it is a version before that one */
};

/** version_parse() - Return: 0, or -EINVAL: it is none */
int version_parse(struct version *version, const char *text);

/**
 * struct layout - folders in a container where its image expects files
 * @cached:	the image has an ld.so.cache, or a loader that reads one
 * @searched:	its loader is known to look into @library without a cache, too
 */
struct layout {
	char library[PATH_MAX];		/* "/usr/lib/x86_64-linux-gnu" */
	char library32[PATH_MAX];
	char program[PATH_MAX];		/* "/usr/bin" */
	char compat[PATH_MAX];		/* folder of compat_find(): "/usr/local/cuda/compat" */
	bool cached, searched;
};

/**
 * layout_read() - look into a container's root
 * @root:	NULL: there is none to look into, which is for what is written before an image
 *		is known (CDI): laid out as this machine is
 * @driver, @cuda: this machine's versions; @cuda: NULL: not known
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int layout_read(struct layout *layout, const char *root, const char *driver,
		const char *cuda, char why[WHY_SIZE]);

#define COMPAT_FOLDER	"/usr/local/cuda/compat"

/* The file that leads the image's own ldconfig to the folder. */
#define COMPAT_CONF	"/etc/ld.so.conf.d/00-compat-mpu.conf"

/**
 * compat_find() - look in @place for a libcuda that is newer than this machine's driver (CUDA
 * forward compatibility), for programs in the container to take
 * @root:	a descriptor
 * @driver, @cuda: as of layout_read()
 * @folder:	receives the folder with no link in it: "/usr/local/cuda-12.9/compat";
 *		"": there is none, or none that is to be taken
 *
 * Return: 0, or negative errno and a sentence in @why.
 */
int compat_find(int root, const char *place, const char *driver, const char *cuda,
		char folder[PATH_MAX], char why[WHY_SIZE]);

/**
 * struct image_library - a library, by the name that ldconfig gives it
 * @name:	of its file: "libcuda.so.580.95.05"; the key, if a link has it already
 * @linked:	there is room for a link of the key's name to it, which ldconfig would make
 */
struct image_library {
	char *key;		/* name that programs look for: "libcuda.so.1" */
	size_t folder;		/* number of its folder among those that were named */
	char *name;
	bool linked;
	uint32_t flags;		/* flags of an entry of ld.so.cache */
};

struct image_libraries {
	struct image_library *library;
	size_t n;
};

/**
 * image_libraries_read() - find those of some folders
 * @root:	a descriptor, in the container's mount namespace
 * @folders:	the first that has a key with these flags counts. A missing folder has none
 * @n_whole:	so many of the first are read whole: what is mounted counts in the others
 *		alone, for what is the image's own there its own loader knows
 *
 * Return: 0 or negative errno; -E2BIG: there are more than any container has. Either way
 * image_libraries_free() is to follow.
 */
int image_libraries_read(struct image_libraries *libraries, int root,
			 const struct strv *folders, size_t n_whole);

void image_libraries_free(struct image_libraries *libraries);

#define LOADER_CACHE	"/etc/ld.so.cache"

/**
 * loader_cache_merge() - make an image's cache anew, with the driver's libraries added
 * @held:	the image's, O_PATH, which is closed; negative errno. An image that has
 *		none, or something else in its place, gets one that has these alone
 * @added:	as of ldcache_merge()
 * @bytes:	receives the file's content, terminated, to be freed
 *
 * Return: its size, or negative errno; -E2BIG: it would be larger than LDCACHE_SIZE_MAX;
 * -ENOTSUP: it is broken, or of a format that is not known here, and had better stay.
 */
long loader_cache_merge(int held, const struct ldcache_entry *added, size_t n, char **bytes);

/** loader_cache_why() - why loader_cache_merge() failed, in a few words */
const char *loader_cache_why(long error);

/**
 * struct places - a container's root and mounts, in which paths are looked for
 * @root:	O_PATH; -1: there is none to look into; @name: in_root_name() of it
 * @shared:	nothing is to be written into it: it is read-only, or this machine's own
 * @points:	where its mounts are, with no link in it; by the numbers of its mounts
 * @folder:	@n folders that were looked for
 * @found:	@n_found places that were found
 */
struct places {
	const struct container *container;
	int root;
	char name[PATH_MAX];
	bool shared;
	struct strv points;
	struct place_folder *folder;
	struct place_found *found;
	size_t n, n_found;
};

/**
 * struct container_place - where a path of a container leads
 * @path:	no link of the root is in it
 * @mount:	number of the container's mount that has it; -1: it is in the root
 * @mounted:	it is that mount's own destination
 * @exists:	there is something; @folder: a folder; @beside: there is its folder, at least
 */
struct container_place {
	char path[PATH_MAX];
	int mount;
	bool mounted, exists, folder, beside;
};

/**
 * places_open() - @container stays, and is not changed meanwhile
 *
 * Return: 0, or -EINVAL and a sentence in @why: its root is this process's own. Either way
 * places_close() is to follow.
 */
int places_open(struct places *places, const struct container *container, char why[WHY_SIZE]);

/** places_find() - find the place of a path. Return: 0 or negative errno */
int places_find(struct places *places, const char *path, struct container_place *place);

/** places_open_file() - open what is there by now, as in_root_open() does */
int places_open_file(const struct places *places, const struct container_place *place, int flags);

/**
 * places_read_only() - is a place's folder one in which nothing can be made: read-only,
 * immutable, or of a user who is none in the container's user namespace?
 */
bool places_read_only(struct places *places, const struct container_place *place);

void places_close(struct places *places);

/**
 * kernel_files_are() - is a place in /proc, /sys or /dev, and its path is not?
 * @place:	where links lead from there; "" where that is not known
 * @type:	of the filesystem that is there, as statfs(2) has it; 0: not known
 *
 * Whatever is mounted over a file of the kernel's hides it from the container's own
 * protection: runc writes AppArmor's profile into /proc/self/attr/exec (CVE-2019-16884),
 * and hides /proc/sys.
 */
bool kernel_files_are(const char *path, const char *place, long type);

/** kernel_files_refuse() - say that a path leads there. Return: -EXDEV */
int kernel_files_refuse(char why[WHY_SIZE], const char *path);

/** folder_refuse() - say that a folder is where a file is to be. Return: -EISDIR */
int folder_refuse(char why[WHY_SIZE], const char *path);

#endif /* MPU_CONTAINER_IMAGE_H */
