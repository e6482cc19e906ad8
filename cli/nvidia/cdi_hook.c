// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvidia-cdi-hook. It runs in the mount namespace of a container, before that has
 * its root, or in the runtime's and enters that, and with what the document has as its
 * environment.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/nvidia/internal.h"
#include "container/cdi/cdi.h"
#include "container/container.h"
#include "container/image/image.h"
#include "container/plan/plan.h"
#include "container/rootfs/rootfs.h"
#include "lib/json_file.h"
#include "lib/proc.h"

struct container_of_hook {
	struct hook_state state;
	struct json_file config;
	char *root;
	pid_t pid;	/* the process by which its mount namespace is entered; 0: this is in it */
	int fd;
};

/* Reads the state, from a file or standard input, and config.json of its bundle. */
static int read_config(const struct command_call *call,
		       struct container_of_hook *container, char why[WHY_SIZE])
{
	const char *name = command_value(call, "container-spec");
	bool is_input = !name || !*name || !strcmp(name, "-");
	int fd = is_input ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC), ret;
	char path[PATH_MAX];

	if (fd < 0)
		return why_fail(why, -errno, "could not read container state: %s", strerror(errno));
	ret = hook_state_read(&container->state, fd, why);
	if (!is_input)
		close(fd);
	if (ret)
		return ret;
	if (snprintf(path, sizeof(path), "%s/config.json",
		     container->state.bundle) >= (int)sizeof(path))
		return why_fail(why, -ENAMETOOLONG, "the path of the bundle is too long");
	return json_file_read(path, &container->config, why);
}

/* Compares two mount namespaces. Return: 1: they are one; 0: not; -1: it is not known. */
static int is_same_mounts(const char *a, const char *b)
{
	struct stat x, y;

	if (stat(a, &x) || stat(b, &y))
		return -1;
	return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/*
 * Finds the process of the container. At the stage createContainer a hook is in the
 * container's namespaces, where @pid is of its PID namespace. At createRuntime and
 * prestart it is in the runtime's, from which the container's mount namespace is
 * entered. Return: the process to enter by, 0: none, or negative errno.
 */
static pid_t find_process(pid_t pid, char why[WHY_SIZE])
{
	static const char own[] = "/proc/self/ns/mnt";
	struct proc_status self = { 0 };
	int dir = open("/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC);
	char other[64];

	if (dir >= 0) {
		proc_status(dir, &self);
		close(dir);
	}
	snprintf(other, sizeof(other), "/proc/%d/ns/mnt", pid);
	if (pid && self.level == 1 && !is_same_mounts(own, other))
		return pid;
	return is_same_mounts(own, "/proc/1/ns/mnt") != 1 ? 0 :
	       why_fail(why, -EPERM, "this is the host's mount namespace, and the container's cannot be told: have the hook run at the stage createContainer");
}

/* Opens the root by what the container's mount namespace has there. */
static int open_container(struct container_of_hook *container, char why[WHY_SIZE])
{
	char path[2 * PATH_MAX];
	int ret = hook_root(&container->state, container->config.root, &container->root, why) ?:
		  rootfs_phase(PHASE_CONTAINER, why);

	if (ret)
		return ret;
	container->pid = find_process(container->state.pid, why);
	if (container->pid < 0)
		return container->pid;
	snprintf(path, sizeof(path), "%s", container->root);
	if (container->pid)
		snprintf(path, sizeof(path), "/proc/%d/root%s", container->pid, container->root);
	container->fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return container->fd < 0 ? why_fail(why, -errno, "%s: %s", path, strerror(errno)) : 0;
}

static void warn_of(const struct command_call *call, const struct strv *sentences)
{
	size_t i;

	for (i = 0; i < sentences->n; i++)
		command_warn(call, "warning: %s", sentences->word[i]);
}

static int carry_out(const struct command_call *call, const struct edits *edits,
		     const struct container_of_hook *container, char why[WHY_SIZE])
{
	struct strv warnings = { 0 };
	const struct rootfs_options options = {
		.pid = container->pid, .root = container->root,
		.no_cgroups = true, .no_devbind = true,
	};
	int ret;

	warn_of(call, &edits->lacks);
	if (!edits->n)
		return 0;
	ret = rootfs_phase(PHASE_MOUNT, why) ?:
	      rootfs_configure(edits, &options, &warnings, why);
	warn_of(call, &warnings);
	strv_free(&warnings);
	return ret;
}

static int run_for(const struct command_call *call, enum cdi_hook hook,
		   const struct container_of_hook *container, char why[WHY_SIZE])
{
	struct strv links = { 0 }, folders = { 0 };
	struct edits edits = { 0 };
	struct cdi_hook_call what = {
		.hook = hook, .any = !strcmp(call->command->name, CDI_HOOK_RUN),
		.root = container->fd, .config = container->config.root,
		.links = &links, .folders = &folders,
		.compat = command_value(call, "cuda-compat-container-root"),
		.driver = command_value(call, "host-driver-version"),
		.cuda = command_value(call, "host-cuda-version"),
	};
	int ret;

	command_values(call, "link", &links);
	command_values(call, "folder", &folders);
	ret = cdi_hook_edits(&edits, &what, why);
	if (!ret)
		ret = carry_out(call, &edits, container, why);
	edits_free(&edits);
	strv_free(&links);
	strv_free(&folders);
	return ret;
}

static void close_container(struct container_of_hook *container)
{
	if (container->fd >= 0)
		close(container->fd);
	free(container->root);
	json_object_put(container->config.root);
	hook_state_free(&container->state);
}

/*
 * Names the GPUs that the hook is for: those of --gpu-id, else the container's. A GPU that has
 * MIG devices stands for one of them.
 */
static void name_gpus(const struct command_call *call, struct json_object *config,
		      const struct devices *devices, struct strv *ids)
{
	uint32_t minors[CDI_MAX_GPUS];
	size_t i, j, n = cdi_config_gpus(config, minors);

	command_values(call, "gpu-id", ids);
	for (i = 0; i < devices->n_gpus && !command_value(call, "gpu-id"); i++)
		for (j = 0; j < n; j++)
			if (devices->gpus[i].minor == minors[j])
				strv_add_format(ids, devices->gpus[i].n_migs ? "%zu:0" : "%zu", i);
}

static int plan_limits(const struct command_call *call, struct json_object *config,
		       const struct gpu_memory *memory, struct edits *edits, char why[WHY_SIZE])
{
	const char *path = command_value(call, "driver-root");
	struct driver_root root = { .fd = -1 };
	struct selection selection = { 0 };
	struct devices devices = { 0 };
	struct strv ids = { 0 };
	struct wanted wanted = { .devices = &ids };
	int ret = driver_root_open(&root, path ? path : "", why) ?:
		  devices_read(&devices, &root, why);

	if (!ret) {
		name_gpus(call, config, &devices, &ids);
		ret = !ids.n ? 0 : selection_make(&selection, &devices, &root, &wanted, why) ?:
				   plan_memory(edits, &selection, memory, why);
	}
	selection_free(&selection);
	devices_free(&devices);
	driver_root_close(&root);
	strv_free(&ids);
	return ret;
}

static int write_limits(const struct edits *edits, pid_t pid, char why[WHY_SIZE])
{
	char path[32];
	size_t i;
	int proc, ret = 0;

	snprintf(path, sizeof(path), "/proc/%d", pid);
	proc = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (!pid || proc < 0)
		return why_fail(why, -ESRCH, "the container's state names no process that is there (pid %d)",
				pid);
	for (i = 0; i < edits->n && !ret; i++)
		ret = cgroup_write(proc, edits->edit[i].path, edits->edit[i].text, why);
	close(proc);
	return ret;
}

/* Limits the memory of GPUs, if a variable of the container asks for it. */
static int limit_memory(const struct command_call *call, const struct container_of_hook *hook,
			char why[WHY_SIZE])
{
	struct container container = { 0 };
	struct gpu_memory memory = { 0 };
	struct edits edits = { 0 };
	int ret = container_read(&container, hook->config.root, hook->state.bundle, why) ?:
		  gpu_memory_read(&memory, container_env(&container, GPU_MEMORY_REQUEST),
				  container_env(&container, GPU_MEMORY_LIMIT), why);

	if (!ret && memory.asked)
		ret = plan_limits(call, hook->config.root, &memory, &edits, why) ?:
		      write_limits(&edits, hook->state.pid, why);
	edits_free(&edits);
	container_free(&container);
	return ret;
}

/* Reads which hooks a call is: the one of its name, or those that --hook names. */
static unsigned int read_hooks(const struct command_call *call)
{
	unsigned int hooks = cdi_hook_find(call->command->name);
	struct strv names = { 0 };
	size_t i;

	command_values(call, "hook", &names);
	/* A document of a later time may name some that nobody knew today. */
	for (i = 0; i < names.n; i++)
		hooks |= cdi_hook_find(names.word[i]);
	strv_free(&names);
	return hooks & ~CDI_HOOK_CHMOD;
}

/* Does the work of each hook in turn: one finds what another has made. */
static int run_hooks(const struct command_call *call)
{
	struct container_of_hook container = { .fd = -1 };
	unsigned int hooks = read_hooks(call), hook;
	char why[WHY_SIZE];
	int ret = rootfs_harden(why) ?: read_config(call, &container, why);

	if (!ret && hooks & CDI_HOOK_MEMORY)
		ret = limit_memory(call, &container, why);
	hooks &= ~CDI_HOOK_MEMORY;
	if (!ret && hooks)
		ret = open_container(&container, why);
	for (hook = 1; hook <= hooks && !ret; hook <<= 1)
		if (hooks & hook)
			ret = run_for(call, hook, &container, why);
	close_container(&container);
	return ret ? command_fail(call, CLI_FAILED, "%s: %s", call->command->name, why) : CLI_DONE;
}

#define STATE { "container-spec", 0, "FILE", NULL, \
	"the container's state (default: -, standard input)" }

#define LINK { "link", 0, "TARGET::LINK", NULL, "make this link" }
#define COMPAT \
	{ "host-driver-version", 0, "VERSION", NULL, "version of the driver" }, \
	{ "host-cuda-version", 0, "VERSION", NULL, "version of CUDA that the driver supports" }, \
	{ "cuda-compat-container-root", 0, "DIR", NULL, \
	  "folder of them in the image (default: " COMPAT_FOLDER ")" }
#define CACHE { "folder", 0, "DIR", NULL, "have its libraries found" }
#define MEMORY \
	{ "driver-root", 0, "DIR", NULL, "folder that the driver's files are in" }, \
	{ "gpu-id", 0, "ID", NULL, \
	  "a GPU: UUID, index, address (default: those of config.json)" }

static const struct command_option link_options[] = { STATE, LINK, { .name = NULL } };

static const struct command_option compat_options[] = { STATE, COMPAT, { .name = NULL } };

static const struct command_option cache_options[] = {
	STATE, CACHE,
	{ "ldconfig-path", 0, "FILE", NULL, "taken and not used: no ldconfig is run" },
	{ .name = NULL },
};

static const struct command_option memory_options[] = { STATE, MEMORY, { .name = NULL } };

static const struct command_option all_options[] = {
	STATE,
	{ "hook", 0, "NAME", NULL, "do the work of this one" },
	LINK, COMPAT, CACHE, MEMORY,
	{ .name = NULL },
};

static const struct command_option options[] = { STATE, { .name = NULL } };

static const struct command *const commands[] = {
	COMMAND(.name = "create-symlinks", .options = { link_options }, .run = run_hooks,
		.what = "make links in a container"),
	COMMAND(.name = "enable-cuda-compat", .options = { compat_options }, .run = run_hooks,
		.what = "have an image's newer CUDA libraries taken"),
	COMMAND(.name = "update-ldcache", .options = { cache_options }, .run = run_hooks,
		.what = "have a container's loader find libraries"),
	COMMAND(.name = "disable-device-node-modification", .options = { options }, .run = run_hooks,
		.what = "tell the driver's programs to make no device nodes"),
	COMMAND(.name = "update-application-profile", .options = { options }, .run = run_hooks,
		.what = "tell EGL the GPUs of a container"),
	COMMAND(.name = "apply-cuda-memory-limits", .options = { memory_options },
		.run = run_hooks, .what = "limit the memory of GPUs that a container may have"),
	COMMAND(.name = CDI_HOOK_RUN, .options = { all_options }, .run = run_hooks,
		.what = "do what several of these do, as mpu's own documents say it"),
	NULL
};

static const struct command_option global_options[] = {
	{ "debug", 'd', NULL, "NVIDIA_CTK_DEBUG", "taken and not used" },
	{ "quiet", 0, NULL, "NVIDIA_CTK_QUIET", "taken and not used" },
	{ .name = NULL },
};

static const struct program nvidia_cdi_hook = {
	.top = {
		.name = "nvidia-cdi-hook", .options = { global_options }, .commands = commands,
		.what = "Do to a container what a CDI document says",
	},
	.style = PROGRAM_GO,
	.version = "NVIDIA CDI Hook version " NVIDIA_VERSION "\ncommit: mpu " MPU_VERSION,
	.usage_status = CLI_FAILED,
	.helps = true,
};

/* A document of a later time may have hooks that nobody knew today. */
static bool is_unknown(const char *word)
{
	const struct command *const *one = commands;

	while (*one && strcmp((*one)->name, word) != 0)
		one++;
	return !*one && strcmp(word, "help") != 0 && strcmp(word, "h") != 0;
}

int cdi_hook_main(char **words)
{
	char **hook = words;

	while (*hook && (hook == words || **hook == '-'))
		hook++;
	if (*hook && is_unknown(*hook)) {
		fprintf(stderr, "nvidia-cdi-hook: warning: '%s' is not known: nothing is done\n",
			*hook);
		return CLI_DONE;
	}
	return program_run(&nvidia_cdi_hook, words, NULL);
}
