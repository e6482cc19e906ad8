// SPDX-License-Identifier: GPL-2.0-only
/*
 * Carries out edits that stand on its command line, in a container's root: by
 * the product, or naively.
 *
 *	inject [OPTION...] ROOT EDIT...
 *
 *	--naive			as naive.c does it
 *	--harden		as a program of its own begins: rootfs_harden()
 *	--pid N			enter this process's mount namespace
 *	--ldconfig FILE		naive: run it last
 *	--library PATH		naive: folder of libraries
 *	--compat PATH		naive: folder of newer CUDA libraries
 *	--cgroups		change the device cgroup, too
 *	--no-devbind, --allow-old: as rootfs_options has them
 *
 * An edit: mount=PATH=SOURCE, node=PATH=SOURCE, link=PATH=TARGET, text=PATH=TEXT,
 * own=PATH=TEXT, mask=PATH, proc=PATH=SOURCE=FILE,FILE; with "?" in front it is optional.
 */
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "tests/container/naive.h"

static const char *const kinds[] = {
	[EDIT_NODE] = "node", [EDIT_MOUNT] = "mount", [EDIT_LINK] = "link",
	[EDIT_TEXT] = "text", [EDIT_MASK] = "mask", [EDIT_PROC] = "proc",
};

static void __attribute__((noreturn)) give_up(const char *what)
{
	fprintf(stderr, "inject: %s\n", what);
	exit(2);
}

static enum edit_kind find_kind(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i] && !strcmp(kinds[i], name))
			return (enum edit_kind)i;
	give_up(name);
}

static void read_node(struct edit *edit)
{
	struct stat st;

	if (stat(edit->source, &st))
		give_up(edit->source);
	edit->node.type = 'c';
	edit->node.major = major(st.st_rdev);
	edit->node.minor = minor(st.st_rdev);
}

static void add_edit(struct edits *edits, char *word)
{
	struct edit edit = { .optional = *word == '?' };
	char *save = NULL, *name = strtok_r(word + edit.optional, "=", &save);
	char *path = strtok_r(NULL, "=", &save);
	char *what = strtok_r(NULL, "=", &save);
	static const char *const options[] = { "ro", "nosuid", "nodev" };
	size_t i;

	if (!path)
		give_up("an edit without path");
	edit.own = !strcmp(name, "own");
	edit.kind = edit.own ? EDIT_TEXT : find_kind(name);
	edit.path = strdup(path);
	edit.source = what ? strdup(what) : NULL;
	edit.text = what ? strdup(what) : NULL;
	if (edit.kind == EDIT_NODE)
		read_node(&edit);
	if (edit.kind == EDIT_PROC)
		strv_split(&edit.options, strtok_r(NULL, "=", &save) ?: "", ',');
	for (i = 0; edit.kind == EDIT_MOUNT && i < 3; i++)
		strv_add(&edit.options, options[i]);
	edits_add(edits, &edit);
}

static bool naive, harden;
static const char *ldconfig;

static void read_options(int argc, char **argv, struct rootfs_options *options,
			 struct layout *layout)
{
	static const struct option rows[] = {
		{ "naive", no_argument, NULL, 'n' },
		{ "harden", no_argument, NULL, 'h' },
		{ "pid", required_argument, NULL, 'p' },
		{ "ldconfig", required_argument, NULL, 'l' },
		{ "library", required_argument, NULL, 'L' },
		{ "compat", required_argument, NULL, 'c' },
		{ "cgroups", no_argument, NULL, 'g' },
		{ "no-devbind", no_argument, NULL, 'd' },
		{ "allow-old", no_argument, NULL, 'o' },
		{ NULL, 0, NULL, 0 }
	};
	int option;

	options->no_cgroups = true;
	while ((option = getopt_long(argc, argv, "+", rows, NULL)) != -1) {
		naive |= option == 'n';
		harden |= option == 'h';
		options->no_devbind |= option == 'd';
		options->allow_old_kernel |= option == 'o';
		options->no_cgroups &= option != 'g';
		if (option == 'p')
			options->pid = atoi(optarg);
		else if (option == 'l')
			ldconfig = optarg;
		else if (option == 'L')
			snprintf(layout->library, sizeof(layout->library), "%s", optarg);
		else if (option == 'c')
			snprintf(layout->compat, sizeof(layout->compat), "%s", optarg);
		else if (option == '?')
			exit(2);
	}
}

int main(int argc, char **argv)
{
	struct rootfs_options options = { .pid = 0 };
	struct strv warnings = { NULL, 0 };
	struct edits edits = { .n = 0 };
	static struct layout layout;
	char why[WHY_SIZE] = "";
	size_t i;
	int ret = 0;

	read_options(argc, argv, &options, &layout);
	if (optind == argc)
		give_up("no root");
	options.root = argv[optind++];
	while (optind < argc)
		add_edit(&edits, argv[optind++]);
	if (harden)
		ret = rootfs_harden(why);
	if (!ret)
		ret = naive ? naive_configure(&edits, &options, &layout, ldconfig, why) :
			      rootfs_configure(&edits, &options, &warnings, why);
	for (i = 0; i < warnings.n; i++)
		fprintf(stderr, "inject: warning: %s\n", warnings.word[i]);
	if (ret)
		fprintf(stderr, "inject: %s\n", why);
	strv_free(&warnings);
	edits_free(&edits);
	return !!ret;
}
