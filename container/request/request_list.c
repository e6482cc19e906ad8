// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading lists of devices.
 */
#include <errno.h>
#include <string.h>

#include "container/request/internal.h"
#include "lib/path.h"

/* The largest host has 8 GPUs with 7 MIG devices each, and 2048 IMEX channels. */
#define MAX_NAMES	4096

/* Linux's own limit of one variable: MAX_ARG_STRLEN. */
#define MAX_VARIABLE	(128 << 10)

#define MOUNTS		"/var/run/nvidia-container-devices"

static int fail_size(char why[WHY_SIZE], const char *where)
{
	return why_fail(why, -E2BIG, "%s: there are more than %u devices: name fewer, or all",
			where, MAX_NAMES);
}

static int split(struct strv *all, const char *variable, const char *value, char why[WHY_SIZE])
{
	if (strlen(value) >= MAX_VARIABLE)
		return why_fail(why, -E2BIG, "%s is longer than 128 KiB, which no program can be given",
				variable);
	strv_split(all, value, ',');
	return all->n > MAX_NAMES ? fail_size(why, variable) : 0;
}

/* The first "all" or "none" counts for the whole list. */
static void reduce(struct request_list *list, const struct strv *all)
{
	size_t i;

	list->asked = all->n && !strv_have(all, "void");
	for (i = 0; list->asked && i < all->n; i++) {
		const char *name = all->word[i];
		bool none = !strcmp(name, "none"), alone = none || !strcmp(name, "all");

		if (alone)
			strv_free(&list->names);
		if (!none)
			strv_add_once(&list->names, name);
		if (alone)
			break;
	}
}

/*
 * Variables are read as one list; those of them count that are set. @legacy: an image that
 * is to have all devices where none of them is.
 */
int request_list_variables(struct request_list *list, const struct container *container,
			   const struct strv *variables, bool legacy, char why[WHY_SIZE])
{
	struct strv all = { 0 };
	bool set = false;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < variables->n; i++) {
		const char *value = container_env(container, variables->word[i]);

		set = set || value;
		if (value)
			ret = split(&all, variables->word[i], value, why);
	}
	if (!set && legacy)
		strv_add(&all, "all");
	if (!ret)
		reduce(list, &all);
	strv_free(&all);
	return ret;
}

/* The device that a mount stands for; NULL: none. */
static const char *mounted_device(const char *source, const char *destination, char path[PATH_MAX])
{
	if (*source != '/' || !path_clean(source, path) || strcmp(path, "/dev/null") != 0 ||
	    *destination != '/' || !path_clean(destination, path) ||
	    strncmp(path, MOUNTS "/", strlen(MOUNTS "/")) != 0)
		return NULL;
	return path + strlen(MOUNTS "/");
}

/* "cdi/vendor/class/device", or "cdi/vendor/class=device". */
static void add_cdi(struct strv *devices, struct strv *warnings, const char *device)
{
	const char *name = device + strlen("cdi/"), *class, *last;
	size_t kind_len;

	if (cdi_name_split(name, &kind_len)) {
		strv_add(devices, name);
		return;
	}
	class = strchr(name, '/');
	last = class ? strchr(class + 1, '/') : NULL;
	if (last) {
		strv_add_format(devices, "%.*s=%s", (int)(last - name), name, last + 1);
	} else {
		char warning[WHY_SIZE];

		why_fail(warning, 0, "Ignoring invalid mount request for CDI device: " MOUNTS "/%.200s: it should end with vendor/class/device",
			 device);
		strv_add(warnings, warning);
	}
}

/* Reads mounts of /dev/null below a folder of theirs; @warnings: on those that are no device. */
int request_list_mounts(const struct container *container, struct strv *devices, struct strv *imex,
			struct strv *warnings, char why[WHY_SIZE])
{
	struct strv seen = { 0 };
	char path[PATH_MAX];
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < container->sources.n; i++) {
		const char *device = mounted_device(container->sources.word[i],
						    container->destinations.word[i], path);

		if (!device || strv_have(&seen, device))
			continue;
		strv_add(&seen, device);
		if (seen.n > MAX_NAMES)
			ret = fail_size(why, MOUNTS);
		else if (!strncmp(device, "imex/", 5))
			strv_add(imex, device + 5);
		else if (!strncmp(device, "cdi/", 4))
			add_cdi(devices, warnings, device);
		else
			strv_add(devices, device);
	}
	strv_free(&seen);
	return ret;
}

static bool begins(const char *name, const struct strv *prefixes)
{
	size_t i;

	for (i = 0; i < prefixes->n; i++)
		if (!strncmp(name, prefixes->word[i], strlen(prefixes->word[i])))
			return true;
	return false;
}

/* The parts between commas as they are, which CDI's own annotations are read by. */
static int add_parts(struct strv *devices, const char *value, char why[WHY_SIZE])
{
	for (;; value++) {
		size_t len = strcspn(value, ",");

		if (devices->n == MAX_NAMES)
			return fail_size(why, "annotations");
		strv_add_format(devices, "%.*s", (int)len, value);
		value += len;
		if (!*value)
			return 0;
	}
}

/* Reads annotations whose names begin with a prefix, in the order of their names. */
int request_list_annotations(const struct container *container, const struct strv *prefixes,
			     struct strv *devices, char why[WHY_SIZE])
{
	const struct strv *names = &container->annotation_names;
	struct strv chosen = { 0 };
	size_t i, k;
	int ret = 0;

	for (i = 0; i < names->n; i++)
		if (begins(names->word[i], prefixes))
			strv_add(&chosen, names->word[i]);
	strv_sort(&chosen);
	for (i = 0; !ret && i < chosen.n; i++) {
		for (k = 0; strcmp(names->word[k], chosen.word[i]) != 0; )
			k++;
		ret = add_parts(devices, container->annotation_values.word[k], why);
	}
	strv_free(&chosen);
	return ret;
}
