// SPDX-License-Identifier: GPL-2.0-only
/*
 * CUDA forward compatibility: images may bring a libcuda newer than this machine's driver. By
 * semantic versions (semver.org 2.0.0).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "container/image/internal.h"
#include "lib/in_root.h"
#include "lib/sandbox.h"
#include "lib/xalloc.h"

#define LIBRARY		"libcuda.so."

/* More names than a folder of libraries has. */
#define NAMES_MAX	4096

static const char digits[] = "0123456789";

/* Return: behind the number, or NULL: there is none, or it is too large. */
static const char *read_number(const char *at, uint64_t *number)
{
	const char *start = at;

	for (*number = 0; *at >= '0' && *at <= '9'; at++)
		if (__builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, (uint64_t)(*at - '0'), number))
			return NULL;
	return at > start ? at : NULL;
}

/* Words with dots between them. @numbers: a word of digits alone does not begin with 0 */
static const char *skip_words(const char *at, bool numbers)
{
	static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";

	for (;; at++) {
		size_t len = strspn(at, word);

		if (!len || (numbers && len > 1 && *at == '0' && strspn(at, digits) == len))
			return NULL;
		at += len;
		if (*at != '.')
			return at;
	}
}

int version_parse(struct version *version, const char *text)
{
	size_t i;

	*version = (struct version){ 0 };
	text = read_number(text + (*text == 'v'), &version->number[0]);
	for (i = 1; text && i < 3 && *text == '.'; i++)
		text = read_number(text + 1, &version->number[i]);
	if (text && *text == '-') {
		version->before = 1;
		text = skip_words(text + 1, true);
	}
	if (text && *text == '+')
		text = skip_words(text + 1, false);
	return text && !*text ? 0 : -EINVAL;
}

/* Returns below 0, 0, above 0, as @a is before, as or after @b. */
static int version_compare(const struct version *a, const struct version *b)
{
	size_t i;

	for (i = 0; i < 3; i++)
		if (a->number[i] != b->number[i])
			return a->number[i] < b->number[i] ? -1 : 1;
	return b->before - a->before;
}

/* Returns false if one of them is not a version. */
static bool is_newer(const char *a, const char *b)
{
	struct version x, y;

	return !version_parse(&x, a) && !version_parse(&y, b) && version_compare(&x, &y) > 0;
}

/* Is the libcuda of a note, made with driver @version, to be taken on this machine? */
bool compat_is_newer(const struct libcuda_note *note, const char *version,
		     const char *driver, const char *cuda)
{
	struct version host = { 0 }, own = { 0 };
	size_t i;

	if (note->found && cuda)
		return is_newer(note->cuda, cuda);
	if (!version || version_parse(&own, version) || !driver || version_parse(&host, driver))
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

		if (strncmp(entry->d_name, LIBRARY, strlen(LIBRARY)) || !strchr(rest, '.'))
			continue;
		strcpy(version, rest);
		found++;
	}
	return found == 1 && names <= NAMES_MAX;
}

static int read_library(int root, const char *place, const char *version, struct libcuda_note *note)
{
	char path[PATH_MAX];
	int fd, ret;

	if (snprintf(path, sizeof(path), "%s/" LIBRARY "%s", place, version) >= PATH_MAX)
		return -ENAMETOOLONG;
	fd = regular_open(in_root_open(root, path, O_PATH), O_RDONLY);
	if (fd < 0)
		return fd;
	ret = sandbox_parse(fd, libcuda_note_parse, NULL, note, sizeof(*note));
	close(fd);
	return ret;
}

/* A child that was taken over may have written anything. */
static void distrust(struct libcuda_note *note)
{
	note->cuda[sizeof(note->cuda) - 1] = '\0';
	if (note->n > LIBCUDA_BRANCHES)
		note->n = LIBCUDA_BRANCHES;
}

int compat_find(int root, const char *place, const char *driver, const char *cuda,
		char folder[PATH_MAX], char why[WHY_SIZE])
{
	int fd = in_root_open(root, place, O_RDONLY | O_DIRECTORY);
	struct libcuda_note note = { 0 };
	char version[NAME_MAX + 1];
	bool found;
	DIR *dir;

	folder[0] = '\0';
	if (fd == -ENOSYS)
		return in_root_fail(why, fd, "", place);
	if (fd < 0)
		return 0;
	dir = xcheck(fdopendir(fd));
	found = find_version(dir, version) && !read_library(root, place, version, &note) &&
		!in_root_place(root, dirfd(dir), folder);
	closedir(dir);
	distrust(&note);
	if (!found || !compat_is_newer(&note, version, driver, cuda))
		folder[0] = '\0';
	return 0;
}
