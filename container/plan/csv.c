// SPDX-License-Identifier: GPL-2.0-only
/*
 * Edits of a Tegra's lists of files.
 */
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "container/plan/csv.h"
#include "lib/path.h"

/* L4T's have some hundreds. */
#define MAX_LINES	10000

#define MAX_GPUS	2

/**
 * struct reader - a list that is being read
 * @file:	its name
 * @chosen:	GPUs whose nodes are wanted
 */
struct reader {
	struct edits *edits;
	const struct csv *csv;
	const char *file;
	bool chosen[MAX_GPUS];
};

size_t csv_gpus(const struct csv *csv)
{
	return csv->gpus && csv->gpus->n_gpus > 1 ? MAX_GPUS : 1;
}

static int lack(struct reader *r, const char *what, const char *why)
{
	return strv_add_format(&r->edits->lacks, "%s: %s: %s", r->file, what,
			       why);
}

static int set_options(struct edit *edit)
{
	static const char *const options[] = {
		"ro", "nosuid", "nodev", "rbind", "rprivate"
	};
	size_t i;
	int ret = 0;

	for (i = 0; i < sizeof(options) / sizeof(*options) && !ret; i++)
		ret = strv_add(&edit->options, options[i]);
	return ret;
}

/* Adds an edit for a line of the list. @edit: set as its kind needs; taken over. */
static int add_edit(struct reader *r, struct edit *edit, const char *source,
		    const char *type)
{
	bool there = !access(source, F_OK);
	bool whole;

	edit->path = strdup(source + strlen(r->csv->root));
	edit->source = there ? strdup(source) : NULL;
	edit->input = strdup(r->csv->input ? r->csv->input : "");
	if (asprintf(&edit->rule, "\"%s\" in %s", type, r->file) < 0)
		edit->rule = NULL;
	whole = edit->path && (edit->source || !there) && edit->input &&
		edit->rule;
	return edits_add(r->edits, edit) || !whole ? -ENOMEM : 0;
}

/* Return: the GPU that a node is for; -1: it is for each, as /dev/nvmap is. */
static int owner(const struct reader *r, const char *source)
{
	const char *name = path_name(source);

	if (strncmp(name, "nvidia", 6) || !name[6] || name[6 + strspn(name + 6, "0123456789")])
		return -1;
	return csv_gpus(r->csv) > 1 && !strcmp(name, "nvidia1");
}

static int add_node(struct reader *r, const char *source, const struct stat *st, size_t gpu)
{
	char device[] = { (char)('0' + gpu), '\0' };
	struct edit edit = {
		.kind = EDIT_NODE, .device = strdup(device),
		.node = { .type = S_ISBLK(st->st_mode) ? 'b' : 'c',
			  .major = major(st->st_rdev),
			  .minor = minor(st->st_rdev), .access = "rw" },
	};

	if (!edit.device)
		return -ENOMEM;
	if ((st->st_mode & 0777) != 0666 || st->st_uid || st->st_gid) {
		edit.node.mode = st->st_mode & 0777;
		edit.node.uid = st->st_uid;
		edit.node.gid = st->st_gid;
	}
	return add_edit(r, &edit, source, "dev");
}

static int add_nodes(struct reader *r, const char *source, const struct stat *st)
{
	int ret = 0, of = owner(r, source);
	size_t gpu;

	if (!S_ISCHR(st->st_mode) && !S_ISBLK(st->st_mode))
		return lack(r, source, "it is no device node");
	for (gpu = 0; gpu < csv_gpus(r->csv) && !ret; gpu++)
		if (r->chosen[gpu] && (of < 0 || (size_t)of == gpu))
			ret = add_node(r, source, st, gpu);
	return ret;
}

static int add_link(struct reader *r, const char *source)
{
	struct edit edit = { .kind = EDIT_LINK };
	char text[PATH_MAX];
	ssize_t len = readlink(source, text, sizeof(text) - 1);

	if (len < 0)
		return lack(r, source, "it is no link");
	text[len] = '\0';
	/* If the link cannot be made, its target is mounted there, if that exists. */
	edit.text = strdup(text);
	if (!edit.text)
		return -ENOMEM;
	return set_options(&edit) ?: add_edit(r, &edit, source, "sym");
}

static int add_mount(struct reader *r, const char *source, const char *type)
{
	struct edit edit = { .kind = EDIT_MOUNT };

	return set_options(&edit) ?: add_edit(r, &edit, source, type);
}

/* A pattern that begins with two stars and a slash is the name's alone. */
static bool is_ignored(const struct csv *csv, const char *path)
{
	size_t i;

	for (i = 0; csv->ignored && i < csv->ignored->n; i++) {
		const char *pattern = csv->ignored->word[i];
		bool name = !strncmp(pattern, "**/", 3);

		if (!fnmatch(name ? pattern + 3 : pattern, name ? path_name(path) : path,
			     FNM_PATHNAME))
			return true;
	}
	return false;
}

static int add_path(struct reader *r, const char *type, const char *source)
{
	struct stat st;

	if (!strcmp(type, "sym"))
		return is_ignored(r->csv, source + strlen(r->csv->root)) ? 0 :
		       add_link(r, source);
	if (stat(source, &st))
		return lack(r, source, strerror(errno));
	return !strcmp(type, "dev") ? add_nodes(r, source, &st) :
				      add_mount(r, source, type);
}

static bool is_type(const char *type)
{
	return !strcmp(type, "dev") || !strcmp(type, "lib") ||
	       !strcmp(type, "dir") || !strcmp(type, "sym");
}

/* A path may have wildcards in it. */
static int add_paths(struct reader *r, const char *type, const char *path)
{
	char pattern[PATH_MAX];
	glob_t found = { 0 };
	size_t i;
	int ret = 0;

	if (!is_type(type) || path[0] != '/' || strstr(path, "/../"))
		return lack(r, path, "this line is none: it should be dev, lib, dir or sym, a comma, and a path");
	if (snprintf(pattern, sizeof(pattern), "%s%s", r->csv->root, path) >=
	    (int)sizeof(pattern))
		return lack(r, path, strerror(ENAMETOOLONG));
	if (glob(pattern, 0, NULL, &found))
		ret = lack(r, pattern, "is not there");
	for (i = 0; i < found.gl_pathc && !ret; i++)
		ret = add_path(r, type, found.gl_pathv[i]);
	globfree(&found);
	return ret;
}

static int read_line(struct reader *r, const char *line)
{
	struct strv parts = { 0 };
	int ret = strv_split(&parts, line, ',');

	if (!ret && parts.n == 2)
		ret = add_paths(r, parts.word[0], parts.word[1]);
	else if (!ret && parts.n && parts.word[0][0] != '#')
		ret = lack(r, parts.word[0], "this line is none");
	strv_free(&parts);
	return ret;
}

static int read_list(struct reader *r, const char *path, char why[WHY_SIZE])
{
	FILE *file = fopen(path, "re");
	char line[PATH_MAX + 32];
	int ret = file ? 0 : -errno, n = 0;

	r->file = path_name(path);
	if (ret)
		return why_fail(why, ret, "cannot read %s: %s", path, strerror(-ret));
	while (!ret && n++ < MAX_LINES && fgets(line, sizeof(line), file))
		ret = read_line(r, line);
	fclose(file);
	return ret ? why_fail(why, ret, "no memory for the lists") : 0;
}

/*
 * Returns whether the file has a name that NVIDIA's tools give to the lists for every
 * container.
 */
static bool is_base(const char *name)
{
	return !strcmp(name, "l4t.csv") || !strcmp(name, "drivers.csv") ||
	       !strcmp(name, "devices.csv");
}

static int is_list(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return len > 4 && !strcmp(entry->d_name + len - 4, ".csv");
}

/*
 * Sets NVIDIA_VISIBLE_DEVICES=void, as mode native does: a second layer is to leave the
 * container alone.
 */
static int add_void(struct edits *edits, const struct csv *csv)
{
	struct edit edit = { .kind = EDIT_ENV };

	edit.text = strdup("NVIDIA_VISIBLE_DEVICES=void");
	edit.rule = strdup("no other program is to add GPUs again");
	edit.input = strdup(csv->input ? csv->input : "");
	if (edit.text && edit.rule && edit.input)
		return edits_add(edits, &edit);
	free(edit.text);
	free(edit.rule);
	free(edit.input);
	return -ENOMEM;
}

static int read_folder(struct reader *r, char why[WHY_SIZE])
{
	const struct csv *csv = r->csv;
	struct dirent **entry = NULL;
	int i, n = scandir(csv->folder, &entry, is_list, alphasort);
	int ret = n < 0 ? -errno : 0;
	char path[PATH_MAX];

	if (ret)
		return why_fail(why, ret, "cannot read the lists of files in %s (modes.csv.mount-spec-path in config.toml): %s",
				csv->folder, strerror(-ret));
	for (i = 0; i < n; i++) {
		if (!ret && (csv->all || is_base(entry[i]->d_name))) {
			ret = snprintf(path, sizeof(path), "%s/%s", csv->folder,
				       entry[i]->d_name) < PATH_MAX ? 0 : -ENAMETOOLONG;
			ret = ret ? why_fail(why, ret, "the path of a list is too long") :
				    read_list(r, path, why);
		}
		free(entry[i]);
	}
	free(entry);
	return ret;
}

/*
 * Adds files that no list has: the integrated GPU's node for displays, the nodes of a
 * card, the release.
 */
static int add_unlisted(struct reader *r)
{
	static const char *const nodes[] = {
		"nvidia1", "nvidia2", "nvidiactl", "nvidia-modeset", "nvidia-uvm",
		"nvidia-uvm-tools",
	};
	char path[PATH_MAX];
	size_t i;
	int ret = 0;

	r->file = "mode csv";
	for (i = 0; csv_gpus(r->csv) > 1 && i < sizeof(nodes) / sizeof(*nodes) && !ret; i++) {
		snprintf(path, sizeof(path), "%s/dev/%s", r->csv->root, nodes[i]);
		if (!access(path, F_OK))
			ret = add_path(r, "dev", path);
	}
	snprintf(path, sizeof(path), "%s/etc/nv_tegra_release", r->csv->root);
	return ret || access(path, F_OK) ? ret : add_mount(r, path, "file");
}

static bool is_gpu(const struct csv *csv, const char *name, size_t gpu)
{
	const char number[] = { (char)('0' + gpu), '\0' };

	return !strcmp(name, "all") || !strcmp(name, number) ||
	       (csv->gpus && gpu < csv->gpus->n_gpus && csv->gpus->gpus[gpu].uuid[0] &&
		!strcmp(name, csv->gpus->gpus[gpu].uuid));
}

static int choose(struct reader *r, char why[WHY_SIZE])
{
	const struct csv *csv = r->csv;
	size_t i, gpu;
	bool found;

	for (gpu = 0; gpu < csv_gpus(csv); gpu++)
		r->chosen[gpu] = !csv->devices;
	for (i = 0; csv->devices && i < csv->devices->n; i++) {
		for (found = false, gpu = 0; gpu < csv_gpus(csv); gpu++) {
			if (!is_gpu(csv, csv->devices->word[i], gpu))
				continue;
			r->chosen[gpu] = found = true;
		}
		if (!found)
			return why_fail(why, -EINVAL, "unsupported device id: %.200s: in mode csv a GPU is 'all', or %s",
					csv->devices->word[i],
					csv_gpus(csv) > 1 ? "0 or 1" : "0");
	}
	return 0;
}

int csv_plan(struct edits *edits, const struct csv *csv, char why[WHY_SIZE])
{
	struct reader r = { .edits = edits, .csv = csv };
	int ret = choose(&r, why);
	size_t i;

	for (i = 0; csv->files && i < csv->files->n && !ret; i++)
		ret = read_list(&r, csv->files->word[i], why);
	if (!ret && !csv->files)
		ret = read_folder(&r, why);
	if (!ret && (add_unlisted(&r) || add_void(edits, csv)))
		ret = why_fail(why, -ENOMEM, "no memory for the lists");
	return ret;
}
