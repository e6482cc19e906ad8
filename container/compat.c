// SPDX-License-Identifier: GPL-2.0-only
/*
 * CUDA forward compatibility: the decision, and what it is made of.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "container/compat.h"
#include "container/version.h"
#include "lib/beneath.h"
#include "lib/document.h"
#include "lib/library.h"
#include "lib/sandbox.h"

#define FOLDER		"/usr/local/cuda/compat"
#define LIBRARY		"libcuda.so."

#define NOTE		".note.cuda.fwd_compatibility"
#define NOTE_OWNER	"NVIDIA Corporation"
#define NOTE_SIZE	16384

/* More names than a folder of libraries has. */
#define NAMES_MAX	4096

static void read_branches(struct json_object *list, struct compat_note *note)
{
	size_t i, n = json_object_array_length(list);

	for (i = 0; i < n && note->n < COMPAT_BRANCHES; i++) {
		int64_t branch = json_object_get_int64(json_object_array_get_idx(list, i));

		if (branch > 0 && branch <= UINT32_MAX)
			note->branches[note->n++] = (uint32_t)branch;
	}
}

/*
 * In any case: NVIDIA's tools have "CUDA Version" and "Driver", its libraries "CUDA
 * version" and "driver" (580.95.05), which those take for the same.
 */
static bool find_member(struct json_object *root, const char *name,
			enum json_type type, struct json_object **value)
{
	*value = NULL;
	json_object_object_foreach(root, key, candidate)
		if (!strcasecmp(key, name))
			*value = candidate;
	return !*value || json_object_is_type(*value, type);
}

static void read_note(struct json_object *root, struct compat_note *note)
{
	struct json_object *cuda, *branches;

	if (!json_object_is_type(root, json_type_object) ||
	    !find_member(root, "CUDA version", json_type_string, &cuda) ||
	    !find_member(root, "driver", json_type_array, &branches))
		return;
	if (cuda && (size_t)json_object_get_string_len(cuda) < sizeof(note->cuda))
		strcpy(note->cuda, json_object_get_string(cuda));
	if (branches)
		read_branches(branches, note);
	note->found = 1;
}

int compat_note_parse(const void *bytes, size_t size, const void *arg,
		      void *result)
{
	struct json_object *root;
	char text[NOTE_SIZE], why[WHY_SIZE];

	(void)arg;
	if (library_note(bytes, size, NOTE, NOTE_OWNER, text, sizeof(text)) ||
	    document_parse(text, strlen(text), &root, why))
		return 0;
	read_note(root, result);
	json_object_put(root);
	return 0;
}

/* Where one of them is no version, the first is not newer. */
static bool is_newer(const char *a, const char *b)
{
	struct version x, y;

	return !version_parse(&x, a) && !version_parse(&y, b) &&
	       version_compare(&x, &y) > 0;
}

bool compat_is_newer(const struct compat_note *note, const char *version,
		     const char *driver, const char *cuda)
{
	struct version host = { 0 }, own = { 0 };
	size_t i;

	if (note->found && cuda)
		return is_newer(note->cuda, cuda);
	if (!version || version_parse(&own, version) ||
	    !driver || version_parse(&host, driver))
		return false;
	if (!note->found)
		return own.number[0] > host.number[0];
	for (i = 0; i < note->n; i++)
		if (note->branches[i] == host.number[0])
			return version_compare(&own, &host) > 0;
	return false;
}

/* Finds the one "libcuda.so.575.57.08": of several, none can be meant. */
static bool find_version(DIR *folder, char version[NAME_MAX + 1])
{
	struct dirent *entry;
	int names = 0, found = 0;

	while ((entry = readdir(folder)) && names++ < NAMES_MAX) {
		const char *rest = entry->d_name + strlen(LIBRARY);

		if (strncmp(entry->d_name, LIBRARY, strlen(LIBRARY)) ||
		    !strchr(rest, '.'))
			continue;
		strcpy(version, rest);
		found++;
	}
	return found == 1 && names <= NAMES_MAX;
}

/* Is it there, is it a file, and what does it say? */
static int read_library(int root, const char *version, struct compat_note *note)
{
	char path[PATH_MAX];
	int fd, ret;

	snprintf(path, sizeof(path), FOLDER "/" LIBRARY "%s", version);
	fd = beneath_open(root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return fd;
	ret = sandbox_parse(fd, compat_note_parse, NULL, note, sizeof(*note));
	close(fd);
	return ret;
}

/* A child that was taken over may have written anything. */
static void distrust(struct compat_note *note)
{
	note->cuda[sizeof(note->cuda) - 1] = '\0';
	if (note->n > COMPAT_BRANCHES)
		note->n = COMPAT_BRANCHES;
}

int compat_find(int root, const char *driver, const char *cuda,
		char folder[PATH_MAX], char why[WHY_SIZE])
{
	int fd = beneath_open(root, FOLDER, O_RDONLY | O_DIRECTORY);
	struct compat_note note = { 0 };
	char version[NAME_MAX + 1];
	bool found;
	DIR *dir;

	folder[0] = '\0';
	if (fd == -ENOSYS)
		return beneath_fail(why, fd, "", FOLDER);
	if (fd < 0)
		return 0;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return why_fail(why, -ENOMEM, "%s: no memory to read it", FOLDER);
	}
	found = find_version(dir, version) && !read_library(root, version, &note);
	closedir(dir);
	distrust(&note);
	if (!found || !compat_is_newer(&note, version, driver, cuda))
		return 0;
	if (beneath_resolve(root, FOLDER, folder))
		folder[0] = '\0';
	return 0;
}
