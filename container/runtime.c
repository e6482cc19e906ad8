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

#include "container/container.h"
#include "container/oci/oci.h"
#include "engines/notify/notify.h"
#include "lib/json_file.h"
#include "lib/path.h"
#include "lib/process.h"
#include "lib/xalloc.h"

static int install_filter(void *unused)
{
	int fd;

	(void)unused;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	fd = filter_install();
	return fd < 0 ? fd : 0;
}

static int want_supervision(const struct oci_runtime *runtime,
			    struct supervision *want, char why[WHY_SIZE])
{
	/*
	 * The container's listener would be the second, of which the runtime only says
	 * that a device is busy. Tried in a child, since a filter cannot be taken away.
	 */
	if (process_try(install_filter, NULL) == -EBUSY)
		return why_fail(why, -EBUSY, "this is inside of a container that has a seccomp listener, and the kernel allows one: call the runtime itself; if that listener is MPU's, it looks after what is started here, too");
	if (!oci_runtime_supervises(runtime, want))
		return why_fail(why, -EOPNOTSUPP, "%s cannot notify of calls (its features lack SCMP_ACT_NOTIFY): its containers cannot be supervised",
				runtime->path);
	return 0;
}

/* Returns "cdi" for nvidia-container-runtime.cdi; NULL: none. */
static const char *mode_of(const char *name)
{
	const char *suffix = strrchr(name, '.');

	return suffix && mode_find(suffix + 1) < MODE_COUNT ? suffix + 1 : NULL;
}

static void log_all(const struct oci_runtime *runtime, const struct strv *sentences)
{
	size_t i;

	for (i = 0; i < sentences->n; i++)
		oci_runtime_log(runtime, "warning", sentences->word[i]);
}

/* Says each edit from one on in the wrapper's own log, as nvidia-container-cli does in its. */
static void log_edits(const struct oci_runtime *runtime, const struct gpus *gpus, size_t from)
{
	struct oci_runtime own = *runtime;
	size_t i;

	if (!own.logs)
		return;
	own.log = NULL;
	for (i = 0; i < gpus->edits.missing.n; i++)
		oci_runtime_log(&own, "warning", gpus->edits.missing.word[i]);
	for (i = from; i < gpus->edits.n; i++) {
		char *line = explain_edit(&gpus->edits.edit[i]);

		oci_runtime_log(&own, "info", line);
		free(line);
	}
}

/* Makes the edits. The hook that an engine's "--gpus" has put there stays in mode legacy. */
static int apply(struct json_object *config, struct gpus *gpus, const char *bundle,
		 char why[WHY_SIZE])
{
	struct edits edits = gpus->edits;
	int ret;

	if (gpus->mode == MODE_LEGACY) {
		ret = oci_hooks_add_nvidia(config, edits.edit++, why);
		edits.n--;
	} else {
		ret = oci_hooks_remove_nvidia(config, why);
	}
	return ret || (gpus->mode == MODE_LEGACY && !edits.n) ? ret :
	       oci_inject(config, &edits, bundle, &gpus->places, why);
}

/* Edits @config as planned, and logs what was done and what the container is not given. */
static int give_gpus(struct json_object *config, const struct oci_runtime *runtime,
		     struct gpus *gpus, const char *bundle, char why[WHY_SIZE])
{
	/* Then it stays as it is. */
	bool has_hook = gpus->mode == MODE_LEGACY && oci_hooks_has_nvidia(config);
	size_t edits = gpus->edits.n - has_hook;
	char sentence[WHY_SIZE];
	int ret = apply(config, gpus, bundle, why);

	if (ret)
		return ret;
	/* The hook of mode legacy records them. Without a record they stay, no more. */
	if (gpus->mode != MODE_LEGACY &&
	    oci_mount_points_record(bundle, &gpus->places, config, &gpus->edits, sentence))
		oci_runtime_log(runtime, "warning", sentence);
	log_all(runtime, &gpus->edits.lacks);
	log_edits(runtime, gpus, has_hook);
	snprintf(sentence, sizeof(sentence), "%s: %s, %zu edit%s%s",
		 gpus->request.source ?: "", mode_names[gpus->mode], edits,
		 edits == 1 ? "" : "s", has_hook ? ": the hook is there" : "");
	oci_runtime_log(runtime, "info", sentence);
	return 0;
}

/* Edits @config for GPUs, if its process asks for some. */
static int add_gpus(struct json_object *config, const struct oci_runtime *runtime,
		    const struct settings *settings, const char *bundle, char why[WHY_SIZE])
{
	struct container container;
	struct json_object *process;
	struct gpus gpus = { 0 };
	int ret = json_file_member(config, "", "process", json_type_object, &process, why);

	/* A container without a process asks for nothing. */
	if (ret || !process)
		return ret;
	ret = container_read(&container, config, bundle, why);
	if (!ret)
		ret = gpus_plan(&gpus, &container, settings, mode_of(runtime->name), false, why);
	if (!ret)
		log_all(runtime, &gpus.request.warnings);
	if (!ret && gpus.request.is_gpu)
		ret = give_gpus(config, runtime, &gpus, bundle, why);
	gpus_free(&gpus);
	container_free(&container);
	return ret;
}

int oci_runtime_create(const struct oci_runtime *runtime, const struct settings *settings,
		       const char *listener, char why[WHY_SIZE])
{
	const char *bundle = runtime->bundle && *runtime->bundle ? runtime->bundle : ".";
	struct supervision want = { .listener = listener };
	char path[PATH_MAX], absolute[PATH_MAX], reason[WHY_SIZE], *before;
	struct json_file spec;
	int ret = listener ? want_supervision(runtime, &want, why) : 0, written = 0;

	if (!ret)
		ret = oci_runtime_config(runtime, runtime->bundle, path, why);
	if (!ret)
		ret = json_file_read(path, &spec, why);
	if (ret)
		return ret;
	before = xstrdup(json_file_text(spec.root));
	ret = add_gpus(spec.root, runtime, settings,
		       realpath(bundle, absolute) ? absolute : bundle, reason);
	/* A container that cannot be supervised gets its GPUs all the same. */
	if (!ret && listener)
		ret = profile_add(spec.root, &want, reason);
	if (ret == PROFILE_PRESENT)
		ret = 0;
	if (ret)
		why_fail(why, ret, "%s: %s", path, reason);
	if (ret >= 0 && strcmp(before, json_file_text(spec.root)))
		written = json_file_write(path, &spec, reason);
	if (written)
		ret = why_fail(why, written, "%s", reason);
	free(before);
	json_object_put(spec.root);
	return ret;
}

/*
 * A restored filter has no listener, and every call that it notifies of ends
 * with ENOSYS (seen with CRIU 3.17): no checkpoint of such a container, either.
 */
int oci_runtime_check_move(const struct oci_runtime *runtime, const char *listener,
			   char why[WHY_SIZE])
{
	bool restores = !strcmp(runtime->command, "restore"), supervised;
	struct json_file spec;
	struct oci_state state;
	char path[PATH_MAX];
	int ret;

	if (!restores && !oci_runtime_state(runtime, &state))
		return 0;
	ret = oci_runtime_config(runtime, restores ? runtime->bundle : state.bundle, path, why);
	if (ret)
		return ret;
	/* If it cannot be read, the runtime says so. */
	supervised = !json_file_read(path, &spec, why) && profile_has(spec.root, listener);
	json_object_put(spec.root);
	return !supervised ? 0 : why_fail(why, -EPERM, "cannot %s %s: it is supervised, and a checkpoint does not keep that: after a restore its calls of the driver would fail",
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

void oci_runtime_clean(const struct oci_runtime *runtime)
{
	struct oci_state state;
	char why[WHY_SIZE];
	bool ended;

	if (!runtime->id)
		return;
	ended = oci_runtime_state(runtime, &state) ? state.stopped :
					      find_bundle(runtime, state.bundle);
	if (ended && oci_mount_points_remove(state.bundle, why))
		oci_runtime_log(runtime, "warning", why);
}

int oci_runtime_exec(const struct oci_runtime *runtime, char why[WHY_SIZE])
{
	int ret;

	runtime->words[0] = (char *)runtime->path;
	/* Before Linux 6.14 it would be named by the number of a descriptor that runs it. */
	execv(runtime->path, runtime->words);
	ret = -errno;
	return why_fail(why, ret, "cannot start %s: %s", runtime->path, strerror(-ret));
}
