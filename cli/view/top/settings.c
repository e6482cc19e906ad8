// SPDX-License-Identifier: GPL-2.0-only
/*
 * Settings that stay: ~/.config/mpu/toprc, a name and its value on each line.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/view/top/internal.h"
#include "lib/text_file.h"
#include "lib/xalloc.h"

/* Return: the list of that name; ROWS_MODES: there is none. */
static int find_mode(const char *name)
{
	int i = 0;

	while (i < ROWS_MODES && strcmp(rows_mode_names[i], name) != 0)
		i++;
	return i;
}

/* Return: the figure with that key to sort by; FIGURES: there is none. */
static enum figure find_key(const char *name)
{
	enum figure i = 0;

	while (i < FIGURES && (!figures[i].top.key || strcmp(figures[i].top.key, name) != 0))
		i++;
	return i;
}

/* Return: 0, or -ENOENT: the user has no folder for it. */
static int find_path(char path[PATH_MAX], const char *name)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	bool has_config = config && config[0] == '/';	/* else it is to be ignored */

	if (!has_config && (!home || home[0] != '/'))
		return -ENOENT;
	snprintf(path, PATH_MAX, "%s%s%s", has_config ? config : home,
		 has_config ? "" : "/.config", name);
	return 0;
}

/* --- Reading --- */

/* "-user": a "-" turns a key round. */
static bool read_order(struct rows_order *order, const char *text)
{
	const bool is_reversed = *text == '-';
	const enum figure sort = find_key(text + is_reversed);

	if (sort != FIGURES)
		*order = (struct rows_order){ sort, is_reversed };
	return sort != FIGURES;
}

/* Return: false: it says nothing known. */
static bool read_line(struct top *top, char *line)
{
	char *name = strsep(&line, " "), *list;
	int mode;

	if (!line)
		return false;
	if (!strcmp(name, "interval"))
		return interval_parse(line, &top->interval);
	if (!strcmp(name, "mouse")) {
		top->has_mouse = !strcmp(line, "on");
		return top->has_mouse || !strcmp(line, "off");
	}
	list = strsep(&line, " ");
	mode = find_mode(list);
	if (mode == ROWS_MODES)
		return false;
	if (!strcmp(name, "list") && !line) {
		top->view.mode = (enum rows_mode)mode;
		return true;
	}
	return !strcmp(name, "sort") && line && read_order(&top->view.order[mode], line);
}

void top_read_settings(struct top *top)
{
	char path[PATH_MAX], why[WHY_SIZE], *line, *at;
	struct text_file file = { 0 };
	int number = 0, wrong = 0;

	if (find_path(path, "/mpu/toprc"))
		return;
	if (text_file_read(path, &file, why))
		snprintf(top->message, sizeof(top->message),
			 "your settings are not read: %.400s", why);
	at = file.text;
	while ((line = strsep(&at, "\n"))) {
		number++;
		if (*line && *line != '#' && !read_line(top, line) && !wrong)
			wrong = number;
	}
	if (wrong)
		snprintf(top->message, sizeof(top->message),
			 "%.400s: line %d says nothing known, and is ignored", path, wrong);
	text_file_free(&file);
}

/* --- Writing --- */

static char *print_settings(const struct top *top)
{
	char *text = NULL;
	size_t size;
	FILE *stream = xcheck(open_memstream(&text, &size));
	int mode;

	fprintf(stream, "# mpu top: W keeps its settings here.\ninterval %g\nmouse %s\nlist %s\n",
		top->interval, top->has_mouse ? "on" : "off", rows_mode_names[top->view.mode]);
	for (mode = 0; mode < ROWS_MODES; mode++) {
		const struct rows_order *order = &top->view.order[mode];

		fprintf(stream, "sort %s %s%s\n", rows_mode_names[mode],
			order->is_reversed ? "-" : "", figures[order->sort].top.key);
	}
	fclose(stream);
	return xcheck(text);
}

/* The folders of the user, as far as they lack; the file is not made if these are not. */
static void make_folders(void)
{
	static const char *const folders[] = { "", "/mpu" };
	char path[PATH_MAX];
	size_t i;

	for (i = 0; i < 2; i++)
		if (!find_path(path, folders[i]))
			mkdir(path, 0700);
}

void top_keep_settings(struct top *top)
{
	char path[PATH_MAX], why[WHY_SIZE], *text;
	struct text_file file = { 0 };
	int ret;

	if (find_path(path, "/mpu/toprc")) {
		snprintf(top->message, sizeof(top->message),
			 "there is no place for settings: set HOME or XDG_CONFIG_HOME");
		return;
	}
	make_folders();
	text = print_settings(top);
	ret = text_file_read(path, &file, why);
	if (!ret)
		ret = text_file_write(path, text, &file.stat, why);
	snprintf(top->message, sizeof(top->message), ret ? "settings are not kept: %.400s" :
		 "settings are kept in %.400s", ret ? why : path);
	text_file_free(&file);
	free(text);
}
