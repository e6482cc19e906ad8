// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading a container's ld.so.conf. The files are the image's: here they are
 * opened, which nothing that stands in them leads out of, and in the sandbox it is
 * found out what they say. There is an end to how much is read.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container/cdi/internal.h"
#include "lib/in_root.h"
#include "lib/sandbox.h"
#include "lib/xalloc.h"

#define MAX_DEPTH	8
#define MAX_FILES	256
#define MAX_SIZE	65536

/**
 * struct reader - a configuration that is being read
 * @folders:	those that are looked for
 * @named:	for each, whether it is named
 * @files:	how many have been read
 * @patterns:	of files that are read or to be read, each once
 * @batch:	files to be parsed at once: see ldconf_parse()
 */
struct reader {
	int root;
	const struct strv *folders;
	bool *named;
	int files;
	struct strv patterns;
	FILE *batch;
};

/*
 * The state of the parser in the sandbox: a batch, a file of it, and the folders found.
 */
struct parsing {
	const struct strv *folders;
	const char *path;
	struct ldconf_found *found;
};

/* The next string of a batch. Return: NULL: there is none that ends. */
static const char *next_string(const char **at, const char *end)
{
	const char *string = *at;
	size_t left = (size_t)(end - string), len = strnlen(string, left);

	if (len == left)
		return NULL;
	*at += len + 1;
	return string;
}

/* The next word of a line, not terminated. Return: its length, 0: there is none. */
static size_t next_word(const char **word)
{
	*word += strspn(*word, " \t\r");
	return strcspn(*word, " \t\r\n#");
}

static bool is_word(const char *word, size_t len, const char *text)
{
	return strlen(text) == len && !memcmp(word, text, len);
}

/* A relative pattern is of files beside the one that says so. */
static void add_include(struct parsing *parsing, const char *pattern, size_t len)
{
	struct ldconf_found *found = parsing->found;
	const char *slash = strrchr(parsing->path, '/');
	size_t before = slash && *pattern != '/' ? (size_t)(slash - parsing->path) + 1 : 0;
	char *include;

	if (found->n == LDCONF_INCLUDES || before + len >= PATH_MAX)
		return;
	include = found->include[found->n++];
	memcpy(include, parsing->path, before);
	memcpy(include + before, pattern, len);
	include[before + len] = '\0';
}

static void parse_line(struct parsing *parsing, const char *word)
{
	size_t len = next_word(&word), i;

	if (!is_word(word, len, "include")) {
		for (i = 0; i < parsing->folders->n; i++)
			parsing->found->named[i] |=
				is_word(word, len, parsing->folders->word[i]);
		return;
	}
	for (word += len; (len = next_word(&word)); word += len)
		add_include(parsing, word, len);
}

/*
 * Finds out what files say: a sandbox_parser. @bytes: three strings of each file, with
 * their terminators: a pattern, its path, what it says. A file whose path does not match
 * does not count. @arg: struct strv, folders. @result: struct ldconf_found
 */
int ldconf_parse(const void *bytes, size_t size, const void *arg, void *result)
{
	struct parsing parsing = { .folders = arg, .found = result };
	const char *at = bytes, *end = at + size, *pattern, *text;

	while ((pattern = next_string(&at, end)) &&
	       (parsing.path = next_string(&at, end)) &&
	       (text = next_string(&at, end))) {
		if (fnmatch(pattern, parsing.path, FNM_PATHNAME | FNM_PERIOD))
			continue;
		while (*text) {
			parse_line(&parsing, text);
			text += strcspn(text, "\n");
			text += *text == '\n';
		}
	}
	return 0;
}

/* Reads no more than the file's size: files of the kernel, in /proc, have size 0. */
static size_t read_text(int fd, char text[MAX_SIZE])
{
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st))
		return 0;
	n = read(fd, text, st.st_size < MAX_SIZE ? (size_t)st.st_size : MAX_SIZE);
	return n > 0 ? strnlen(text, (size_t)n) : 0;
}

static void add_file(struct reader *r, const char *pattern, const char *path)
{
	char text[MAX_SIZE];
	size_t len;
	int fd;

	if (r->files == MAX_FILES)
		return;
	r->files++;
	fd = regular_open(in_root_open(r->root, path, O_PATH), O_RDONLY);
	if (fd < 0)
		return;
	len = read_text(fd, text);
	close(fd);
	fprintf(r->batch, "%s%c%s%c", pattern, 0, path, 0);
	fwrite(text, 1, len, r->batch);
	fputc(0, r->batch);
}

/* All of the folder: which of them match is found out in the sandbox. */
static void add_folder(struct reader *r, const char *pattern)
{
	int len = (int)(strrchr(pattern, '/') - pattern) + 1, fd;
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "%.*s", len, pattern);
	fd = in_root_open(r->root, path, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return;
	}
	while (r->files < MAX_FILES && (entry = readdir(dir)))
		if (snprintf(path, sizeof(path), "%.*s%s", len, pattern,
			     entry->d_name) < (int)sizeof(path))
			add_file(r, pattern, path);
	closedir(dir);
}

/* The sandbox may have written anything. */
static void add_found(struct reader *r, struct ldconf_found *found)
{
	size_t i;

	for (i = 0; i < r->folders->n; i++)
		r->named[i] |= found->named[i];
	for (i = 0; i < found->n && i < LDCONF_INCLUDES; i++) {
		found->include[i][PATH_MAX - 1] = '\0';
		if (found->include[i][0] == '/' &&
		    !strv_have(&r->patterns, found->include[i]))
			strv_add(&r->patterns, found->include[i]);
	}
}

/*
 * Read the files of those patterns that follow @first. Where it cannot be found out
 * what they say, they say nothing.
 */
static void read_batch(struct reader *r, size_t first, struct ldconf_found *found)
{
	char *bytes = NULL;
	size_t size = 0;

	r->batch = xcheck(open_memstream(&bytes, &size));
	for (; first < r->patterns.n; first++) {
		const char *pattern = r->patterns.word[first];

		if (strpbrk(pattern, "*?[\\"))
			add_folder(r, pattern);
		else
			add_file(r, pattern, pattern);
	}
	fclose(r->batch);
	if (!sandbox_parse_bytes(xcheck(bytes), size, ldconf_parse, r->folders, found,
				 sizeof(*found) + r->folders->n))
		add_found(r, found);
	free(bytes);
}

/*
 * Finds those folders that ldconfig does not look into yet by the file at @path below
 * @root; a missing file names nothing. Some files are not read, without a message: it is
 * the image's to have such, and at worst a folder is named twice.
 */
void ldconf_filter(int root, const char *path, const struct strv *folders,
		   struct strv *missing)
{
	struct ldconf_found *found = xcalloc(1, sizeof(*found) + folders->n);
	struct reader r = { .root = root, .folders = folders };
	size_t i, done = 0, next;
	int depth;

	r.named = xcalloc(folders->n + 1, sizeof(*r.named));
	strv_add(&r.patterns, path);
	for (depth = 0; depth < MAX_DEPTH && done < r.patterns.n; depth++) {
		next = r.patterns.n;
		read_batch(&r, done, found);
		done = next;
	}
	for (i = 0; i < folders->n; i++)
		if (!r.named[i])
			strv_add(missing, folders->word[i]);
	strv_free(&r.patterns);
	free(r.named);
	free(found);
}

/* Returns a file that names folders, a line each, once; "" if there are none. */
char *ldconf_text(const struct strv *folders)
{
	char *text = xstrdup("");
	size_t i, j;

	for (i = 0; i < folders->n; i++) {
		char *longer;

		for (j = 0; j < i && strcmp(folders->word[i], folders->word[j]); j++)
			;
		if (j < i)
			continue;
		longer = xasprintf("%s%s\n", text, folders->word[i]);
		free(text);
		text = longer;
	}
	return text;
}
