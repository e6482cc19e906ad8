// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs of one hook: see hook.h.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "core/nvrm.h"
#include "engines/engine.h"
#include "hook.h"
#include "lib/host.h"
#include "mpu.skel.h"

#define HOOK_NAME(hook, name) [hook] = name,
const char *const hook_names[BPF_HOOKS] = { ENGINE_EACH_HOOK(HOOK_NAME) };

static char last_error[256];

const char *hook_error(void)
{
	return last_error;
}

static int keep_error(enum libbpf_print_level level, const char *fmt,
		      va_list args)
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

	return host_read(text, sizeof(text), "%s", path) > 0 &&
	       !strcmp(text, "0");
}

const char *hook_off(enum bpf_hook kind)
{
	if (kind != BPF_TRACEPOINT && is_zero("/proc/sys/kernel/ftrace_enabled"))
		return "kernel.ftrace_enabled is 0: 'sysctl kernel.ftrace_enabled=1'";
	if (kind == BPF_KPROBE && is_zero("/sys/kernel/debug/kprobes/enabled"))
		return "kprobes are switched off: 'echo 1 >/sys/kernel/debug/kprobes/enabled'";
	return NULL;
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

/* The maps of a skeleton, in the order of enum hook_map. */
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

/* Before loading: the programs take the maps that there are already. */
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

/* After loading: the maps that were made now are kept for the next hook. */
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

/* The programs at a function's entry and return; fentry has two for each function. */
struct pair {
	struct bpf_program *enter;
	struct bpf_program *leave;
};

static struct pair pair_of(const struct hook *hook, unsigned int entry)
{
	const struct mpu_bpf *skel = hook->skel;

	if (hook->kind == BPF_KPROBE)
		return (struct pair){ skel->progs.enter_kprobe,
				      skel->progs.leave_kretprobe };
	if (hook->kind == BPF_TRACEPOINT)
		return (struct pair){ skel->progs.enter_tracepoint,
				      skel->progs.leave_tracepoint };
	if (entry)
		return (struct pair){ skel->progs.enter_fentry_compat,
				      skel->progs.leave_fexit_compat };
	return (struct pair){ skel->progs.enter_fentry,
			      skel->progs.leave_fexit };
}

/* The functions that the programs are attached to, one by one; NULL: no more. */
static const char *entry_of(const struct hook *hook,
			    const struct driver *driver, unsigned int i)
{
	if (i >= DRIVER_ENTRIES)
		return NULL;
	if (hook->kind == BPF_TRACEPOINT)
		return i ? NULL : "ioctl";
	if (!driver->entry[0] && !i)
		return NV_ENTRY;
	return driver->entry[i];
}

/* Selects for loading the programs that this hook needs, and no others. */
static int select_programs(struct hook *hook, const struct driver *driver)
{
	struct bpf_program *program;
	const char *entry;
	unsigned int i;
	int err = 0;

	bpf_object__for_each_program(program, hook->skel->obj)
		bpf_program__set_autoload(program, false);
	bpf_program__set_autoload(hook->skel->progs.meet_module, true);
	for (i = 0; !err && (entry = entry_of(hook, driver, i)); i++) {
		struct pair pair = pair_of(hook, i);

		bpf_program__set_autoload(pair.enter, true);
		bpf_program__set_autoload(pair.leave, true);
		if (hook->kind != BPF_FENTRY)
			continue;
		err = bpf_program__set_attach_target(pair.enter, 0, entry);
		if (!err)
			err = bpf_program__set_attach_target(pair.leave, 0,
							     entry);
	}
	return err;
}

static int load(struct hook *hook, const struct driver *driver,
		struct hook_maps *maps)
{
	u32 each = hook->kind == BPF_FENTRY ? 2 : 1;
	int err;

	hook->skel->rodata->slots_per_cpu = each;
	err = bpf_map__set_max_entries(hook->skel->maps.slots,
				       each * host_cpus());
	if (!err)
		err = share_maps(hook, maps);
	if (!err)
		err = select_programs(hook, driver);
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

static int attach_one(struct hook *hook, struct bpf_program *program,
		      const char *event, bool leaving)
{
	struct bpf_link *link;

	if (hook->kind == BPF_FENTRY)
		link = bpf_program__attach(program);
	else if (hook->kind == BPF_KPROBE)
		link = bpf_program__attach_tracepoint(program, EVENT_GROUP,
						      event);
	else
		link = bpf_program__attach_tracepoint(program, "syscalls",
			leaving ? "sys_exit_ioctl" : "sys_enter_ioctl");
	return keep_link(hook, link);
}

/*
 * Of the probes at one address the kernel runs the one first that was defined last
 * (add_new_kprobe()). So the return probe is: the entry then sees whether it ran.
 */
static int create_events(struct hook *hook, const char *module,
			 const char *entry)
{
	char function[128];
	int i, err = 0;

	snprintf(function, sizeof(function), "%s:%s", module, entry);
	for (i = 0; !err && i < 2; i++) {
		err = event_create(hook->event[hook->events], function, i == 1);
		hook->events += !err;
	}
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
		event_remove(hook->event[--hook->events]);
}

/* Returns first: then no call is begun whose return is not seen. */
static int attach(struct hook *hook, const struct driver *driver,
		  struct bpf_state *state)
{
	const char *module = *driver->module ? driver->module : DRIVER_MODULE;
	const char *entry, *enter, *leave;
	unsigned int i;
	int err;

	snprintf(state->awaited, sizeof(state->awaited), "%s", module);
	err = keep_link(hook, bpf_program__attach(hook->skel->progs.meet_module));
	for (i = 0; !err && (entry = entry_of(hook, driver, i)); i++) {
		struct pair pair = pair_of(hook, i);

		enter = hook->event[2 * i];
		leave = hook->event[2 * i + 1];
		if (hook->kind == BPF_KPROBE)
			err = create_events(hook, module, entry);
		if (!err)
			err = attach_one(hook, pair.leave, leave, true);
		if (!err)
			err = attach_one(hook, pair.enter, enter, false);
	}
	if (err)
		detach(hook);
	return err;
}

int hook_open(struct hook *hook, enum bpf_hook kind,
	      const struct driver *driver, struct hook_maps *maps)
{
	int err;

	memset(hook, 0, sizeof(*hook));
	hook->kind = kind;
	last_error[0] = '\0';
	libbpf_set_print(keep_error);
	hook->skel = mpu_bpf__open();
	if (!hook->skel)
		return -errno;
	err = load(hook, driver, maps);
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

void hook_pin(struct hook *hook, const char *folder)
{
	static unsigned int number;
	char path[128];
	unsigned int i = hook->links;

	/* The last ones first: the first can be pinned on any kernel. */
	while (i--) {
		snprintf(path, sizeof(path), "%s/%s_%d_%u", folder,
			 hook_names[hook->kind], getpid(), number++);
		if (bpf_link__pin(hook->link[i], path))
			return;
	}
}
