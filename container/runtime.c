// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpu-runtime: stands where containerd, docker or podman expect runc or crun.
 * Before a container is made it edits the bundle's config.json; then, and for
 * everything else, it becomes the runtime behind it, with the same words.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "container/oci/log.h"
#include "container/oci/mount_points.h"
#include "container/oci/runtime_find.h"
#include "container/runtime.h"
#include "engines/notify/filter.h"
#include "lib/path.h"
#include "lib/process.h"

static bool is_command(const struct oci_runtime *runtime, const char *name)
{
	return !strcmp(runtime->command, name);
}

static int install_filter(void *unused)
{
	int fd;

	(void)unused;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	fd = filter_install();
	return fd < 0 ? fd : 0;
}

/*
 * The container's listener would be the second, of which the runtime only says
 * that a device is busy. Tried in a child, since a filter cannot be taken away.
 */
static bool has_listener(void)
{
	return process_try(install_filter, NULL) == -EBUSY;
}

static int want_supervision(const struct oci_runtime *runtime,
			    struct oci_supervision *want, char why[WHY_SIZE])
{
	struct oci_features features;

	if (has_listener())
		return why_fail(why, -EBUSY, "this is inside of a container that has a seccomp listener, and the kernel allows one: call the runtime itself; if that listener is MPU's, it looks after what is started here, too");
	oci_runtime_examine(runtime->path, &features);
	if (!features.notify)
		return why_fail(why, -EOPNOTSUPP, "%s cannot notify of calls (its features lack SCMP_ACT_NOTIFY): its containers cannot be supervised",
				runtime->path);
	want->flag = features.flag;
	return 0;
}

static int edit_config(const struct oci_runtime *runtime, const char *listener,
		       struct injection *injection, char why[WHY_SIZE])
{
	struct oci_supervision want = { .listener = listener };
	char path[PATH_MAX];
	int ret = listener ? want_supervision(runtime, &want, why) : 0;

	if (!ret && (injection || listener))
		ret = oci_runtime_config(runtime, runtime->bundle, path, why) ?:
		      inject(path, injection, listener ? &want : NULL, why);
	return ret == OCI_ADDED || ret == OCI_PRESENT ? 0 : ret;
}

/* Ask the runtime: the words before the sub-command, then "state ID". */
static bool find_state(const struct oci_runtime *runtime,
		       struct oci_state *state)
{
	const char **words = calloc((size_t)runtime->at + 3, sizeof(*words));
	bool found = false;

	if (words && runtime->id) {
		memcpy(words, runtime->words,
		       (size_t)runtime->at * sizeof(*words));
		words[0] = runtime->path;
		words[runtime->at] = "state";
		words[runtime->at + 1] = runtime->id;
		found = oci_runtime_state(words, state);
	}
	free(words);
	return found;
}

/* Return: 1 or 0, or negative errno: the file cannot be read. */
static int is_supervised(const char *path, const char *listener)
{
	char why[WHY_SIZE];
	struct json_file spec;
	int ret = json_file_read(path, &spec, why);

	if (!ret)
		ret = oci_seccomp_has(spec.root, listener);
	json_object_put(spec.root);
	return ret;
}

/*
 * A restored filter has no listener, and every call that it notifies of ends
 * with ENOSYS (seen with CRIU 3.17): no checkpoint of such a container, either.
 */
static int refuse_supervised(const struct oci_runtime *runtime,
			     const char *listener, char why[WHY_SIZE])
{
	bool restores = is_command(runtime, "restore");
	struct oci_state state;
	char path[PATH_MAX];
	int ret;

	if (!restores && !find_state(runtime, &state))
		return 0;
	ret = oci_runtime_config(runtime, restores ? runtime->bundle :
				 state.bundle, path, why);
	if (ret || is_supervised(path, listener) != 1)
		return ret;
	return why_fail(why, -EPERM, "cannot %s %s: it is supervised, and a checkpoint does not keep that: after a restore its calls of the driver would fail",
			runtime->command, runtime->id ? runtime->id : "it");
}

/*
 * Finds the bundle of a container that could not be made, and has no state: containerd
 * logs into it, and names it as the container. Files in the working folder may be
 * somebody else's.
 */
static bool find_bundle(const struct oci_runtime *runtime, char bundle[PATH_MAX])
{
	const char *log = runtime->log ?: "", *slash = strrchr(log, '/');

	return *log == '/' && snprintf(bundle, PATH_MAX, "%.*s", (int)(slash - log), log) <
	       PATH_MAX && !strcmp(path_name(bundle), runtime->id);
}

/* A container is deleted whatever comes of this. */
static void remove_mount_points(const struct oci_runtime *runtime)
{
	struct oci_state state;
	char why[WHY_SIZE];
	bool ended;

	if (!runtime->id)
		return;
	ended = find_state(runtime, &state) ? state.stopped :
					      find_bundle(runtime, state.bundle);
	if (ended && oci_mount_points_remove(state.bundle, why))
		oci_runtime_log(runtime, "warning", why);
}

int oci_runtime_prepare(const struct oci_runtime *runtime,
			const char *listener, struct injection *injection,
			char why[WHY_SIZE])
{
	if (oci_runtime_creates(runtime))
		return edit_config(runtime, listener, injection, why);
	if (listener && oci_runtime_moves(runtime))
		return refuse_supervised(runtime, listener, why);
	if (oci_runtime_deletes(runtime))
		remove_mount_points(runtime);
	return 0;
}

char **oci_runtime_words(char **words, const char *path)
{
	size_t n = 0;
	char **own;

	while (words[n])
		n++;
	own = calloc(n + 2, sizeof(*own));
	if (!own)
		return NULL;
	memcpy(own, words, n * sizeof(*own));
	own[0] = (char *)path;
	return own;
}

int oci_runtime_exec(const struct oci_runtime *runtime, char why[WHY_SIZE])
{
	char **words = oci_runtime_words(runtime->words, runtime->path);
	int ret = -ENOMEM;

	if (words) {
		/*
		 * Executed by a descriptor it would be named by that one's number,
		 * before Linux 6.14.
		 */
		execv(runtime->path, words);
		ret = -errno;
	}
	free(words);
	return why_fail(why, ret, "cannot start %s: %s", runtime->path,
			strerror(-ret));
}
