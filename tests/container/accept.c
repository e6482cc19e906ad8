// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stands where a wrapper looks for runc, and asks the real runc and crun, those of them
 * that are in PATH, whether they take the config.json that the wrapper has edited: each
 * creates a container of it, which is deleted before anything was started in it.
 *
 *	accept [OPTION...] create [OPTION...] ID	--bundle, -b: as of runc
 *
 * Puts there what the container needs and what is not the wrapper's: an empty root
 * with a program, namespaces, and hooks that do nothing where those that are named
 * stand. As root.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/json.h"
#include "lib/json_file.h"
#include "lib/process.h"

static char folder[] = "/tmp/mpu-accept.XXXXXX", id[64], self[4096];

static void __attribute__((noreturn)) give_up(const char *what)
{
	fprintf(stderr, "accept: %s: %s\n", what, strerror(errno));
	exit(1);
}

static struct json_object *parse(const char *text)
{
	struct json_object *value = json_tokener_parse(text);

	if (!value)
		give_up(text);
	return value;
}

/* Returns that object, which is made where there is none. */
static struct json_object *object_at(struct json_object *object, const char *key)
{
	struct json_object *value = member_get(object, key);

	if (!value) {
		value = json_object_new_object();
		json_object_object_add(object, key, value);
	}
	return value;
}

static void disarm_hooks(struct json_object *hooks)
{
	struct json_object *list;
	size_t i;

	if (!hooks)
		return;
	json_object_object_foreach(hooks, stage, value) {
		(void)stage;
		list = value;
		for (i = 0; list && i < json_object_array_length(list); i++)
			member_add_text(json_object_array_get_idx(list, i), "path", self);
	}
}

/* Puts mounts in front: one of the bundle at the same place hides them. */
static void prepend_mounts(struct json_object *spec)
{
	struct json_object *all = parse(
		"[{\"destination\":\"/proc\",\"type\":\"proc\",\"source\":\"proc\"},"
		"{\"destination\":\"/dev\",\"type\":\"tmpfs\",\"source\":\"tmpfs\"}]");
	struct json_object *mounts = member_get(spec, "mounts");
	size_t i;

	for (i = 0; mounts && i < json_object_array_length(mounts); i++)
		json_object_array_add(all, json_object_get(json_object_array_get_idx(mounts, i)));
	json_object_object_add(spec, "mounts", all);
}

static void complete(struct json_object *spec)
{
	struct json_object *process = object_at(spec, "process");
	struct json_object *linux_ = object_at(spec, "linux");
	char path[sizeof(folder) + 16];

	snprintf(path, sizeof(path), "%s/rootfs", folder);
	member_add_text(object_at(spec, "root"), "path", path);
	member_add_text(process, "cwd", "/");
	json_object_object_add(process, "args", parse("[\"/bin/true\"]"));
	if (!member_get(linux_, "namespaces"))
		json_object_object_add(linux_, "namespaces", parse(
			"[{\"type\":\"mount\"},{\"type\":\"pid\"},{\"type\":\"ipc\"}]"));
	prepend_mounts(spec);
	disarm_hooks(member_get(spec, "hooks"));
}

/* Makes the folder of a bundle, with the root and the completed config.json in it. */
static void make_bundle(const char *bundle)
{
	struct json_file spec;
	char path[4096], why[WHY_SIZE];
	int fd;

	snprintf(path, sizeof(path), "%s/config.json", bundle);
	if (json_file_read(path, &spec, why)) {
		fprintf(stderr, "accept: %s\n", why);
		exit(1);
	}
	if (!mkdtemp(folder) || chdir(folder) || chmod(folder, 0711) ||
	    mkdir("rootfs", 0755) || mkdir("rootfs/bin", 0755))
		give_up(folder);
	fd = open("rootfs/bin/true", O_CREAT | O_WRONLY | O_CLOEXEC, 0755);
	if (fd < 0 || close(fd))
		give_up("rootfs/bin/true");
	complete(spec.root);
	if (json_file_write("config.json", &spec, why)) {
		fprintf(stderr, "accept: %s\n", why);
		exit(1);
	}
	json_object_put(spec.root);
}

/* Returns 0 also where there is no such runtime. */
static int ask(const char *runtime)
{
	const int quiet[3] = { PROCESS_NULL, PROCESS_NULL, PROCESS_NULL };
	/* crun makes the container's root the owner of what these are: not of the host's /dev/null. */
	const int own = open("stdio", O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	const int fds[3] = { own, own, 2 };
	const char *create[] = { runtime, "--root", "state", "create", id, NULL };
	const char *delete[] = { runtime, "--root", "state", "delete", "--force", id, NULL };
	int ret;

	if (own < 0)
		give_up("stdio");
	ret = process_run(create, fds);
	close(own);
	if (ret == -ENOENT)
		return 0;
	process_run(delete, quiet);
	if (ret)
		fprintf(stderr, "accept: %s refuses this config.json: %d\n", runtime, ret);
	return ret;
}

/* Reads what it is given as a hook: crun fails if nobody does. */
static int read_state(void)
{
	char text[4096];

	while (read(0, text, sizeof(text)) > 0)
		;
	return 0;
}

int main(int argc, char **argv)
{
	const char *const removal[] = { "rm", "-rf", folder, NULL };
	const int fds[3] = { PROCESS_NULL, PROCESS_NULL, 2 };
	const char *bundle = ".";
	bool create = false;
	int i, ret = 0;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "create"))
			create = true;
		else if (i + 1 < argc && (!strcmp(argv[i], "-b") || !strcmp(argv[i], "--bundle")))
			bundle = argv[++i];
		else if (!strncmp(argv[i], "--bundle=", strlen("--bundle=")))
			bundle = argv[i] + strlen("--bundle=");
	}
	if (!create)
		return read_state();
	snprintf(id, sizeof(id), "mpu-accept-%d", getpid());
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		give_up("/proc/self/exe");
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_PRIVATE | MS_REC, NULL))
		give_up("unshare");
	/* crun refuses hosts that have cgroup v2 beside v1, with controllers. */
	umount2("/sys/fs/cgroup/unified", MNT_DETACH);
	make_bundle(bundle);
	ret = ask("runc") | ask("crun");
	process_run(removal, fds);
	return !!ret;
}
