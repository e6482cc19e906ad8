// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs, and the probes that run them: loaded, attached to the driver, pinned.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "core/nvrm.h"
#include "engines/bpf/internal.h"
#include "lib/host.h"
#include "mpu.skel.h"

static char last_error[256];

/* Returns libbpf's last warning. */
const char *hook_error(void)
{
	return last_error;
}

static int keep_error(enum libbpf_print_level level, const char *fmt, va_list args)
{
	if (level != LIBBPF_WARN)
		return 0;
	vsnprintf(last_error, sizeof(last_error), fmt, args);
	last_error[strcspn(last_error, "\n")] = '\0';
	return 0;
}

static bool is_zero(const char *path)
{
	char text[16];

	return host_read(text, sizeof(text), "%s", path) > 0 && !strcmp(text, "0");
}

/*
 * Does the host keep probes from running programs, or some of them? The kernel attaches
 * them all the same. Return: a sentence; NULL: no setting that MPU knows does.
 */
const char *hook_off(void)
{
	if (is_zero("/proc/sys/kernel/ftrace_enabled"))
		return "kernel.ftrace_enabled is 0: 'sysctl kernel.ftrace_enabled=1'";
	if (is_zero("/sys/kernel/debug/kprobes/enabled"))
		return "kprobes are switched off: 'echo 1 >/sys/kernel/debug/kprobes/enabled'";
	return preempt_problem();
}

void hook_maps_init(struct hook_maps *maps)
{
	int i;

	for (i = 0; i < HOOK_MAPS; i++)
		maps->fd[i] = -1;
	maps->state = NULL;
}

void hook_maps_close(struct hook_maps *maps)
{
	int i;

	if (maps->state)
		munmap(maps->state, sizeof(*maps->state));
	for (i = 0; i < HOOK_MAPS; i++)
		if (maps->fd[i] >= 0)
			close(maps->fd[i]);
	hook_maps_init(maps);
}

static struct bpf_map *map_of(struct mpu_bpf *skel, int which)
{
	struct bpf_map *maps[HOOK_MAPS] = {
		[HOOK_STATE] = skel->maps.bss,
		[HOOK_CALLS] = skel->maps.calls,
		[HOOK_QUESTIONS] = skel->maps.questions,
		[HOOK_THREADS] = skel->maps.threads,
	};

	return maps[which];
}

/* Takes over the maps that exist already; called before loading. */
static int share_maps(struct hook *hook, struct hook_maps *maps)
{
	int i, err;

	for (i = 0; i < HOOK_MAPS; i++) {
		if (maps->fd[i] < 0)
			continue;
		err = bpf_map__reuse_fd(map_of(hook->skel, i), maps->fd[i]);
		if (err)
			return err;
	}
	return 0;
}

/* Keeps the maps that were made for the next hook; called after loading. */
static int keep_maps(struct hook *hook, struct hook_maps *maps)
{
	void *state;
	int i;

	for (i = 0; i < HOOK_MAPS; i++) {
		if (maps->fd[i] >= 0)
			continue;
		maps->fd[i] = dup(bpf_map__fd(map_of(hook->skel, i)));
		if (maps->fd[i] < 0)
			return -errno;
	}
	if (maps->state)
		return 0;
	state = mmap(NULL, sizeof(*maps->state), PROT_READ | PROT_WRITE,
		     MAP_SHARED, maps->fd[HOOK_STATE], 0);
	if (state == MAP_FAILED)
		return -errno;
	maps->state = state;
	return 0;
}

static int load(struct hook *hook, struct hook_maps *maps)
{
	int err;

	err = bpf_map__set_max_entries(hook->skel->maps.scratch, host_cpus());
	if (!err)
		err = share_maps(hook, maps);
	if (!err)
		err = mpu_bpf__load(hook->skel);
	return err ? err : keep_maps(hook, maps);
}

static int keep_link(struct hook *hook, struct bpf_link *link)
{
	if (!link)
		return -errno;
	hook->link[hook->links++] = link;
	return 0;
}

static int create_event(struct hook *hook, const char *function, bool at_return)
{
	int err = kprobe_event_create(hook->event[hook->events], function, at_return);

	hook->events += !err;
	return err;
}

/*
 * Attaches the return probe first, so that no call is begun whose return is not seen. The kernel
 * runs the probe first that was defined last at one address (add_new_kprobe()). So that is the
 * return probe, too: the entry then sees whether it ran.
 */
static int attach_entry(struct hook *hook, const char *module, const char *entry)
{
	const char *enter = hook->event[hook->events];
	const char *leave = hook->event[hook->events + 1];
	char function[128];
	int err;

	snprintf(function, sizeof(function), "%s:%s", module, entry);
	err = create_event(hook, function, false);
	if (!err)
		err = create_event(hook, function, true);
	if (!err)
		err = keep_link(hook, bpf_program__attach_tracepoint(
			hook->skel->progs.leave_driver, EVENT_GROUP, leave));
	if (!err)
		err = keep_link(hook, bpf_program__attach_tracepoint(
			hook->skel->progs.enter_driver, EVENT_GROUP, enter));
	return err;
}

static void detach(struct hook *hook)
{
	while (hook->links) {
		struct bpf_link *link = hook->link[--hook->links];

		if (bpf_link__pin_path(link))
			bpf_link__unpin(link);
		bpf_link__destroy(link);
	}
	while (hook->events)
		kprobe_event_remove(hook->event[--hook->events]);
}

static int attach(struct hook *hook, const struct driver *driver, struct bpf_state *state)
{
	const char *module = *driver->module ? driver->module : DRIVER_MODULE;
	const char *first = driver->entry[0] ? driver->entry[0] : NV_ENTRY;
	unsigned int i;
	int err;

	snprintf(state->awaited, sizeof(state->awaited), "%s", module);
	err = keep_link(hook, bpf_program__attach(hook->skel->progs.meet_module));
	if (!err)
		err = attach_entry(hook, module, first);
	for (i = 1; !err && i < DRIVER_ENTRIES && driver->entry[i]; i++)
		err = attach_entry(hook, module, driver->entry[i]);
	if (err)
		detach(hook);
	return err;
}

/*
 * If there is no driver the probes wait for module nvidia. The programs pass all calls until
 * state->on is set. Return: 0 or negative errno: nothing is left.
 */
int hook_open(struct hook *hook, const struct driver *driver, struct hook_maps *maps)
{
	int err;

	memset(hook, 0, sizeof(*hook));
	last_error[0] = '\0';
	libbpf_set_print(keep_error);
	hook->skel = mpu_bpf__open();
	if (!hook->skel)
		return -errno;
	err = load(hook, maps);
	if (!err)
		err = attach(hook, driver, maps->state);
	if (err)
		hook_close(hook);
	return err;
}

void hook_close(struct hook *hook)
{
	detach(hook);
	mpu_bpf__destroy(hook->skel);
	hook->skel = NULL;
}

/* Lets the programs outlive this process, where the kernel can: from 5.15 on for probes. */
void hook_pin(struct hook *hook, const char *folder)
{
	static unsigned int number;
	char path[128];
	unsigned int i = hook->links;

	/* The last ones first: the first can be pinned on any kernel. */
	while (i--) {
		snprintf(path, sizeof(path), "%s/link_%d_%u", folder, getpid(), number++);
		if (bpf_link__pin(hook->link[i], path))
			return;
	}
}
