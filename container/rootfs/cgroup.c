// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device cgroup of a container that exists: it is allowed to use the nodes that it was
 * given. Here: where it is, and cgroup v1.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "container/rootfs/internal.h"
#include "lib/mountinfo.h"
#include "lib/xalloc.h"

void device_rules_add(struct device_rules *rules, uint32_t major, uint32_t minor)
{
	size_t i;

	for (i = 0; i < rules->n; i++)
		if (rules->rule[i].major == major && rules->rule[i].minor == minor)
			return;
	rules->rule = xreallocarray(rules->rule, rules->n + 1, sizeof(*rules->rule));
	rules->rule[rules->n++] = (struct device_rule){ major, minor };
}

struct place {
	char path[PATH_MAX];	/* path in the hierarchy, then in the filesystem */
	size_t mount;		/* length of the mount point, which @path begins with */
	bool v1;		/* controller "devices" of cgroup v1 */
};

static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (; *list; list += strspn(list, ",")) {
		size_t n = strcspn(list, ",");

		if (n == len && !memcmp(list, word, len))
			return true;
		list += n;
	}
	return false;
}

/* "5:devices:/docker/1f3c", "0::/system.slice/docker-1f3c.scope" */
static bool read_line(char *line, struct place *place)
{
	char *controllers = strchr(line, ':');
	char *path = controllers ? strchr(controllers + 1, ':') : NULL;
	bool v1, v2;

	if (!path)
		return false;
	*path++ = '\0';
	v1 = has_word(controllers + 1, "devices");
	v2 = !strncmp(line, "0:", 2) && !controllers[1];
	path[strcspn(path, "\n")] = '\0';
	if ((!v1 && !v2) || strlen(path) >= sizeof(place->path))
		return false;
	place->v1 = v1;
	strcpy(place->path, path);
	return true;
}

/*
 * Finds the one with the device controller: that of v1, if the process is in one of each
 * version, as v2 has no controllers then. @unified: find that of v2
 */
static int find_path(int proc, bool unified, struct place *place)
{
	int fd = openat(proc, "cgroup", O_RDONLY | O_CLOEXEC), ret = -ENOENT;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	char *line = NULL;
	size_t size = 0;

	if (!file) {
		ret = -errno;
		if (fd >= 0)
			close(fd);
		return ret;
	}
	while (getline(&line, &size, file) > 0)
		if (read_line(line, place) && !(unified && place->v1)) {
			ret = 0;
			if (place->v1)
				break;
		}
	free(line);
	fclose(file);
	return ret;
}

/* Writes into @place where the cgroup is in this mount, if it is. */
static bool is_below(const struct mountinfo *mounted, struct place *place)
{
	size_t len = strcmp(mounted->root, "/") ? strlen(mounted->root) : 0;
	char path[PATH_MAX];

	if (strcmp(mounted->type, place->v1 ? "cgroup" : "cgroup2") ||
	    (place->v1 && !has_word(mounted->options, "devices")) ||
	    strncmp(place->path, mounted->root, len) ||
	    (place->path[len] != '/' && place->path[len]))
		return false;
	if (snprintf(path, sizeof(path), "%s%s", mounted->at, place->path + len) >=
	    (int)sizeof(path))
		return false;
	strcpy(place->path, path);
	place->mount = strlen(mounted->at);
	return true;
}

static int find_folder(struct place *place)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	struct mountinfo mounted;
	char *line = NULL;
	size_t size = 0;
	int ret = -ENOENT;

	if (!file)
		return -errno;
	while (ret && getline(&line, &size, file) > 0)
		if (mountinfo_parse(line, &mounted) && is_below(&mounted, place))
			ret = 0;
	free(line);
	fclose(file);
	return ret;
}

static int write_file(int folder, const char *name, const char *text)
{
	int fd = openat(folder, name, O_WRONLY | O_CLOEXEC), ret = 0;
	ssize_t len = (ssize_t)strlen(text);

	if (fd < 0)
		return -errno;
	if (write(fd, text, (size_t)len) != len)
		ret = -errno;
	close(fd);
	return ret;
}

static int write_rule(int folder, const char *name, const struct device_rule *rule)
{
	char text[64];

	snprintf(text, sizeof(text), "c %u:%u rw", rule->major, rule->minor);
	return write_file(folder, name, text);
}

/* A single rule would add nothing to that, and removing it again would deny the device. */
static bool allows_all(int folder)
{
	int fd = openat(folder, "devices.list", O_RDONLY | O_CLOEXEC);
	char text[16] = "";
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	return n > 0 && !strncmp(text, "a *:* rwm", 9);
}

static int allow_v1(int folder, const struct device_rules *rules, char why[WHY_SIZE])
{
	size_t i;
	int ret = 0;

	if (allows_all(folder))
		return 0;
	for (i = 0; i < rules->n; i++) {
		ret = write_rule(folder, "devices.allow", &rules->rule[i]);
		if (ret)
			break;
	}
	if (!ret)
		return 0;
	why_fail(why, ret,
		 "failed to add device rules: the cgroup above does not allow c %u:%u: %s: allow it there, or set no-cgroups = true in config.toml",
		 rules->rule[i].major, rules->rule[i].minor, strerror(-ret));
	while (i--)
		write_rule(folder, "devices.deny", &rules->rule[i]);
	return ret;
}

static int find(int proc, bool unified, struct place *place)
{
	int ret = find_path(proc, unified, place);

	if (!ret && strstr(place->path, "/.."))
		ret = -EXDEV;
	return ret ? ret : find_folder(place);
}

/* Allows all of @rules or none. */
int cgroup_allow(int proc, const struct device_rules *rules,
		 struct json_object *config, char why[WHY_SIZE])
{
	struct place place = { .v1 = false };
	int ret = find(proc, false, &place), folder;

	if (ret)
		return why_fail(why, ret,
				"failed to add device rules: no cgroup of the container is mounted here (%s): set no-cgroups = true in config.toml, or mount it",
				strerror(-ret));
	folder = open(place.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return why_fail(why, -errno, "failed to add device rules: %s: %s",
				place.path, strerror(errno));
	ret = place.v1 ? allow_v1(folder, rules, why) :
			 cgroup_bpf_allow(folder, rules, config, why);
	close(folder);
	return ret;
}

/*
 * Enables it in all cgroups above one: runc does so with all controllers, crun and systemd
 * with those that they know, and dmem is none of these. Cgroups further up may be somebody
 * else's, and have it enabled already: the parent's result counts.
 */
static int enable_controller(const struct place *place, const char *file)
{
	char path[PATH_MAX + NAME_MAX], text[NAME_MAX];
	size_t end = place->mount;
	int ret = 0;

	snprintf(text, sizeof(text), "+%.*s", (int)strcspn(file, "."), file);
	while (place->path[end]) {
		snprintf(path, sizeof(path), "%.*s/cgroup.subtree_control", (int)end, place->path);
		ret = write_file(AT_FDCWD, path, text);
		end += 1 + strcspn(place->path + end + 1, "/");
	}
	return ret;
}

int cgroup_write(int proc, const char *file, const char *line, char why[WHY_SIZE])
{
	struct place place = { .v1 = false };
	char path[PATH_MAX + NAME_MAX];
	int ret = find(proc, true, &place);

	if (ret)
		return why_fail(why, ret, "no cgroup v2 of the container is mounted here (%s): %s cannot be set",
				strerror(-ret), file);
	snprintf(path, sizeof(path), "%s/%s", place.path, file);
	if (access(path, F_OK))
		ret = enable_controller(&place, file);
	if (ret)
		return why_fail(why, ret, "%s: %s: the container's cgroup has to have that controller, by cgroup.subtree_control of the cgroups above it",
				path, strerror(-ret));
	ret = write_file(AT_FDCWD, path, line);
	return ret ? why_fail(why, ret, "%s: '%s': %s", path, line, strerror(-ret)) : 0;
}
