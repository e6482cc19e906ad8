// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading a container's ld.so.conf. The files are the image's: nothing that
 * stands in them leads out of it, and there is an end to how much is read.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container/cdi/ldconf.h"
#include "lib/beneath.h"

#define MAX_DEPTH	8
#define MAX_FILES	1000
#define MAX_SIZE	65536

/**
 * struct reader - a configuration that is being read
 * @named:	folders that it names
 */
struct reader {
	int root;
	int depth;
	int files;
	struct words named;
};

static int read_file(struct reader *r, const char *path);

/* Names of files in a folder that match, sorted. */
static int match_names(struct reader *r, const char *folder,
		       const char *pattern, struct words *names)
{
	int fd = beneath_open(r->root, folder, O_RDONLY | O_DIRECTORY);
	struct dirent *entry;
	int ret = 0;
	DIR *dir;

	if (fd < 0)
		return 0;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return -errno;
	}
	while (!ret && names->n < MAX_FILES && (entry = readdir(dir)))
		if (!fnmatch(pattern, entry->d_name, FNM_PERIOD))
			ret = words_add(names, entry->d_name);
	closedir(dir);
	words_sort(names);
	return ret;
}

/* @from: the file that says so, beside which a relative pattern is. */
static int read_include(struct reader *r, const char *pattern, const char *from)
{
	char folder[PATH_MAX], path[PATH_MAX];
	struct words names = { 0 };
	const char *slash;
	size_t i;
	int ret, len;

	len = *pattern == '/' ? 0 : (int)(strrchr(from, '/') - from) + 1;
	if (snprintf(path, sizeof(path), "%.*s%s", len, from, pattern) >=
	    (int)sizeof(path))
		return 0;
	slash = strrchr(path, '/');
	snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path) + 1, path);
	ret = match_names(r, folder, slash + 1, &names);
	for (i = 0; i < names.n && !ret; i++)
		if (snprintf(path, sizeof(path), "%s%s", folder, names.word[i]) <
		    (int)sizeof(path))
			ret = read_file(r, path);
	words_free(&names);
	return ret;
}

static int read_line(struct reader *r, char *line, const char *path)
{
	static const char blanks[] = " \t\r";
	char *word;
	int ret = 0;

	line[strcspn(line, "#")] = '\0';
	word = strtok_r(line, blanks, &line);
	if (!word || strcmp(word, "include") != 0)
		return word ? words_add(&r->named, word) : 0;
	while (!ret && (word = strtok_r(NULL, blanks, &line)))
		ret = read_include(r, word, path);
	return ret;
}

static int read_lines(struct reader *r, char *text, const char *path)
{
	char *line;
	int ret = 0;

	while (!ret && (line = strsep(&text, "\n")))
		ret = read_line(r, line, path);
	return ret;
}

static int read_file(struct reader *r, const char *path)
{
	int fd, ret = 0;
	struct stat st;
	char *text;
	ssize_t n;

	if (r->depth == MAX_DEPTH || r->files++ == MAX_FILES)
		return 0;
	/* A pipe would block. */
	fd = beneath_open(r->root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return 0;
	text = malloc(MAX_SIZE + 1);
	if (!text)
		ret = -ENOMEM;
	if (!ret && !fstat(fd, &st) && S_ISREG(st.st_mode)) {
		n = read(fd, text, MAX_SIZE);
		text[n < 0 ? 0 : n] = '\0';
		r->depth++;
		ret = read_lines(r, text, path);
		r->depth--;
	}
	free(text);
	close(fd);
	return ret;
}

int ldconf_filter(int root, const char *path, const struct words *folders,
		  struct words *missing)
{
	struct reader r = { .root = root };
	int ret = read_file(&r, path);
	size_t i;

	for (i = 0; i < folders->n && !ret; i++)
		if (!words_have(&r.named, folders->word[i]))
			ret = words_add(missing, folders->word[i]);
	words_free(&r.named);
	return ret;
}

char *ldconf_text(const struct words *folders)
{
	struct words once = { 0 };
	char *text = NULL;
	size_t i, len = 0;
	FILE *stream;

	errno = 0;
	for (i = 0; i < folders->n; i++)
		if (!words_have(&once, folders->word[i]) &&
		    words_add(&once, folders->word[i]))
			goto no_memory;
	if (!once.n)
		return NULL;
	stream = open_memstream(&text, &len);
	if (!stream)
		goto no_memory;
	for (i = 0; i < once.n; i++)
		fprintf(stream, "%s\n", once.word[i]);
	words_free(&once);
	if (!fclose(stream))
		return text;
	free(text);
no_memory:
	words_free(&once);
	errno = ENOMEM;
	return NULL;
}
