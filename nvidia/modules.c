// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loading the driver's modules.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/caps.h"
#include "lib/fds.h"
#include "lib/host.h"
#include "lib/process.h"
#include "nvidia/internal.h"

struct module {
	const char *name, *folder;
};

/* Modules in the order in which they need each other. */
static const struct module modules[] = {
	{ "nvidia", "nvidia" },
	{ "nvidia-uvm", "nvidia_uvm" },
	{ "nvidia-modeset", "nvidia_modeset" },
};

struct load {
	const char *root, *name;
};

/* As driver_root_open() does: /sys is where the driver's /proc is. */
static const char *find_sys(const char *root)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/proc/driver/nvidia", root);
	return access(path, F_OK) ? "" : root;
}

static bool is_loaded(const char *sys, const struct module *module)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/sys/module/%s", sys, module->folder);
	return !access(path, F_OK);
}

/*
 * The capabilities of modprobe, which is root: load modules, and read what is not
 * root's.
 */
#define MODPROBE_CAPS	(1ull << CAP_SYS_MODULE | 1ull << CAP_DAC_OVERRIDE)

/*
 * Loads a module, in a child. The driver's root has the modules, and a modprobe that
 * fits them.
 */
static int load(void *arg)
{
	static char path[] = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";
	const struct load *what = arg;
	char modprobe[] = "modprobe", name[32];
	char *const args[] = { modprobe, name, NULL };
	char *const env[] = { path, NULL };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), ret;

	snprintf(name, sizeof(name), "%s", what->name);
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
		return -errno;
	ret = fd_close_others(NULL, 0, 0);
	if (!ret && *what->root && (chroot(what->root) || chdir("/")))
		ret = -errno;
	if (!ret)
		ret = caps_limit(MODPROBE_CAPS, MODPROBE_CAPS);
	if (ret)
		return ret;
	execve("/sbin/modprobe", args, env);
	return -errno;
}

void modules_load(const char *root, struct strv *problems)
{
	struct load what = { .root = root };
	const char *sys;
	size_t i;

	if (host_is_other()) {
		strv_add(problems, "MPU_ROOT is set: that is another system's files, no module is loaded");
		return;
	}
	if (!strcmp(root, "/"))
		what.root = "";
	if (host_has_user_namespace())
		return;
	sys = find_sys(what.root);
	for (i = 0; i < sizeof(modules) / sizeof(*modules); i++) {
		if (is_loaded(sys, &modules[i]))
			continue;
		what.name = modules[i].name;
		if (process_try(load, &what))
			strv_add_format(problems, "module %s: %s/sbin/modprobe could not load it: try \"modprobe %s\" by hand, and see what the kernel's log says",
					what.name, what.root, what.name);
	}
}
