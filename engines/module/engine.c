// SPDX-License-Identifier: GPL-2.0-only
/*
 * Engine "module": the kernel module mpu.ko.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engines/engines.h"
#include "lib/host.h"
#include "lib/process.h"
#include "lib/clock.h"

#define SYSFS	"/sys/kernel/mpu"

static bool module_is_up(void)
{
	return host_exists(SYSFS "/driver");
}

/* Is mpu.ko loaded, and not in front of the driver that is there? */
static bool module_is_off(void)
{
	char text[32];

	return host_read(text, sizeof(text), SYSFS "/hook") > 0 && !strcmp(text, "off");
}

/* Does depmod list an mpu.ko, so that modprobe will find it? */
static bool module_installed(const char *release)
{
	FILE *deps = host_fopen("/lib/modules/%s/modules.dep", release);
	bool found = false;
	char line[1024];

	if (!deps)
		return false;
	while (!found && fgets(line, sizeof(line), deps)) {
		const char *name;

		line[strcspn(line, ":")] = '\0';
		name = strrchr(line, '/');
		found = name && !strncmp(name, "/mpu.ko", 7);
	}
	fclose(deps);
	return found;
}

bool module_is_foreign(void)
{
	char state[16];

	return host_read(state, sizeof(state), "/sys/module/mpu/initstate") > 0 &&
	       !strncmp(state, "live", 4) && !host_exists(SYSFS);
}

static bool module_available(char *why, char *todo)
{
	char release[128], ftrace[8];

	host_release(release, sizeof(release));
	if (!host_exists("/proc/modules")) {
		why_fail(why, 0, "this kernel cannot load modules");
		why_fail(todo, 0, "boot a kernel built with CONFIG_MODULES");
		return false;
	}
	if (!module_installed(release)) {
		why_fail(why, 0, "no mpu.ko is installed for kernel %s", release);
		why_fail(todo, 0, "install MPU with this kernel's headers present, or say 'mpu up --module FILE'");
		return false;
	}
	if (host_read(ftrace, sizeof(ftrace), "/proc/sys/kernel/ftrace_enabled") <= 0 ||
	    ftrace[0] == '0') {
		why_fail(why, 0, "the kernel's ftrace is %s", *ftrace ? "off" : "not there");
		why_fail(todo, 0, "see 'ftrace'");
		return false;
	}
	return true;
}

/* Returns the meaning of an errno of finit_module(2) on mpu.ko. */
static const char *load_error(int err)
{
	switch (err) {
	case EPERM:
		return "not permitted: run it as root, outside of any container, with the kernel not in lockdown for unsigned modules";
	case ENOEXEC:
		return "the file is not a module for this kernel: build it against this kernel's headers";
	case EKEYREJECTED:
	case ENOKEY:
		return "its signature is missing or not from a trusted key: sign it with the machine owner key ('mpu doctor' says how)";
	case EBUSY:
		return "the kernel's ftrace is off or in use: 'sysctl kernel.ftrace_enabled=1', then see the end of 'dmesg'";
	case EEXIST:
		return "a module of its name is loaded already, and it is no mpu.ko: give the path of one";
	case EOPNOTSUPP:
		return "this kernel has no kprobes, or no ftrace that mpu.ko can use: see the end of 'dmesg'";
	case ENOENT:
		return "the kernel lacks a function that it needs: see the end of 'dmesg'";
	default:
		return strerror(err);
	}
}

static int load_file(const char *file, const char *options, char *why)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return why_fail(why, -errno, "cannot open %s: %s; give the path of an mpu.ko",
				file, strerror(errno));
	err = syscall(SYS_finit_module, fd, options, 0) ? errno : 0;
	if (err == EEXIST && module_is_up())
		err = 0;	/* another mpu up was first */
	close(fd);
	return err ? why_fail(why, -err, "cannot load %s: %s", file, load_error(err)) : 0;
}

static int load_installed(const char *options, char *why)
{
	const char *const words[] = { "modprobe", "mpu",
				      *options ? options : NULL, NULL };
	const int fd[3] = { STDIN_FILENO, STDOUT_FILENO, PROCESS_PIPE };
	char said[16384], *end, *line;	/* with room for warnings: else it is ended by SIGPIPE */
	int ret = process_read(words, fd, said, sizeof(said));

	/* The last line says why, others may warn of files of /etc/modprobe.d. */
	end = strrchr(said, '\n');
	if (end)
		*end = '\0';
	line = strrchr(said, '\n');
	if (ret == -ENOENT)
		return why_fail(why, ret, "there is no modprobe here: install kmod, or say --module FILE");
	return ret ? why_fail(why, ret > 0 ? -EIO : ret,
			      "modprobe could not load mpu.ko: %s; 'mpu doctor' says what this host allows, the end of 'dmesg' why the kernel refused it",
			      line ? line + 1 : said[0] ? said : "no reason given") : 0;
}

static void no_progress(const char *what)
{
	(void)what;
}

static int module_down(bool force, void (*waiting)(const char *what), char *why);

static int module_up(const struct engine_options *options, char *why)
{
	struct wait wait;
	char params[32] = "";
	int ret;

	if (options->unknown)
		snprintf(params, sizeof(params), "unknown=%s", options->unknown);
	/* mpu.ko attaches when it is loaded, or when a driver is: not later. */
	ret = module_is_off() ? module_down(false, no_progress, why) : 0;
	if (ret)
		return ret;
	ret = options->file ? load_file(options->file, params, why) : load_installed(params, why);
	if (ret)
		return ret;
	wait = wait_begin(50, 2000);
	while (!module_is_up() && wait_moment(&wait))
		;
	if (module_is_up())
		return 0;
	return why_fail(why, -EIO,
			"the module is loaded, but " SYSFS " did not appear: was it mpu.ko, and is sysfs mounted on /sys?");
}

/* Seconds in which calls in flight may end, and all others are put off. */
#define DRAIN	5

/* Calls in flight, and the PID of the process that has been in one the longest. */
struct inside {
	unsigned long n;
	long oldest, seconds;
};

static struct inside read_inside(void)
{
	struct inside inside = { 0 };
	char text[64], *at = text;

	if (host_read(text, sizeof(text), SYSFS "/calls") <= 0)
		return inside;
	inside.n = strtoul(at, &at, 10);
	inside.oldest = strtol(at, &at, 10);
	inside.seconds = strtol(at, NULL, 10);
	return inside;
}

static bool module_held(char *why)
{
	struct inside inside = read_inside();

	if (!inside.n || inside.seconds < DRAIN)
		return false;
	why_fail(why, 0, "calls in flight: %lu, and PID %ld has been in one for %ld s: end it; with --force containers are told the host's PIDs from then on, and no mpu.ko can be loaded until it has ended",
		 inside.n, inside.oldest, inside.seconds);
	return true;
}

/* Has mpu.ko put calls off for so long; < 0: it does not stay for those in flight either. */
static void drain(int seconds)
{
	int fd = open("/sys/module/mpu/parameters/drain", O_WRONLY | O_CLOEXEC);

	/* Where it cannot be had the kernel may still find a moment without a call. */
	if (fd < 0)
		return;
	dprintf(fd, "%d", seconds);
	close(fd);
}

/* Returns an errno, or 0. Calls in flight hold mpu.ko; reading them gives back what dead tasks held. */
static int unload(bool force)
{
	struct wait wait = wait_begin(5, DRAIN * 1000);
	int err;

	drain(DRAIN);
	do {
		if (force)
			drain(-DRAIN);
		read_inside();
		err = syscall(SYS_delete_module, "mpu", O_NONBLOCK) ? errno : 0;
		if (err == ENOENT)
			return 0;	/* another mpu down was first */
	} while (err == EWOULDBLOCK && wait_moment(&wait));
	if (err)
		drain(0);
	return err;
}

static void say_inside(bool force, void (*waiting)(const char *what))
{
	struct inside inside = read_inside();
	char text[160];

	if (inside.n)
		snprintf(text, sizeof(text), "%swaiting, calls in flight: %lu; PID %ld has been in one for %ld s",
			 force ? "containers are told the host's PIDs; " : "",
			 inside.n, inside.oldest, inside.seconds);
	else
		snprintf(text, sizeof(text), "waiting for the kernel; the end of 'dmesg' says if it cannot");
	waiting(text);
}

static int module_down(bool force, void (*waiting)(const char *what), char *why)
{
	struct wait wait = wait_begin(20, 0);
	pid_t pid = fork();
	int status;

	/* In a child: with @force unloading waits inside the kernel for calls in flight. */
	if (!pid)
		_exit(unload(force));
	if (pid < 0)
		return why_fail(why, -errno, "cannot start a process: %s", strerror(errno));
	while (!process_ended(pid, &status) && wait_moment(&wait))
		if (wait_second(&wait))
			say_inside(force, waiting);
	if (status < 0)
		status = -status;
	if (status == EPERM)
		return why_fail(why, -status, "not permitted to unload mpu.ko: run it as root, outside of any container");
	if (status == EWOULDBLOCK && module_held(why))
		return -status;
	if (status == EWOULDBLOCK)
		return why_fail(why, -status, "the kernel says mpu.ko is in use: see 'lsmod' for who holds it");
	if (status == EBUSY)
		return why_fail(why, -status, "mpu.ko is being unloaded already: it waits for the process that the end of 'dmesg' names");
	return status ? why_fail(why, -status, "cannot unload mpu.ko: %s", strerror(status)) : 0;
}

static void read_driver(struct engine_place *place)
{
	host_read(place->driver, sizeof(place->driver), SYSFS "/driver");
	place->driver[strcspn(place->driver, " ")] = '\0';
	if (!strcmp(place->driver, "none"))
		place->driver[0] = '\0';
	if (place->driver[0])
		host_read(place->driver_version, sizeof(place->driver_version),
			  "/sys/module/%s/version", place->driver);
}

static void read_control(struct engine_control *control, const char *name)
{
	char text[32];
	unsigned int i;

	for (i = 0; i < MPU_COUNTERS; i++) {
		if (host_read(text, sizeof(text), SYSFS "/controls/%s/%s", name,
			      mpu_counter_names[i]) <= 0)
			continue;
		control->counted |= 1u << i;
		control->count[i] = strtoull(text, NULL, 10);
	}
}

static void read_controls(struct engine_status *status)
{
	struct engine_control *control;
	struct dirent **list;
	char path[512];
	int i, n;

	if (host_path(path, sizeof(path), SYSFS "/controls"))
		return;
	n = scandir(path, &list, NULL, alphasort);
	for (i = 0; i < n; i++) {
		const char *name = list[i]->d_name;

		control = name[0] == '.' ? NULL : engine_status_control(status, name);
		if (control)
			read_control(control, name);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

static void module_status(struct engine_status *status)
{
	struct engine_place *place = &status->place;
	char text[32];

	status->answered = true;
	host_read(status->version, sizeof(status->version), "/sys/module/mpu/version");
	read_driver(place);
	host_read(place->hook, sizeof(place->hook), SYSFS "/hook");
	if (module_is_off())
		why_fail(place->off, 0, "nothing is translated; the end of 'dmesg' says why, 'mpu up' tries again");
	host_read(text, sizeof(text), SYSFS "/arguments");
	place->arguments = engine_name_index(engine_arguments_names, text);
	host_read(text, sizeof(text), "/sys/module/mpu/parameters/unknown");
	place->odd_size = engine_name_index(engine_odd_size_names, text);
	/* mpu.ko keeps the counters to itself in a container (-EACCES). */
	place->has_counters = host_read(text, sizeof(text), SYSFS "/calls") > 0;
	place->in_flight = strtoull(text, NULL, 10);
	read_controls(status);
}

const struct engine engine_module = {
	.name = "module",
	.options = ENGINE_FILE | ENGINE_UNKNOWN,
	.everywhere = true,
	.available = module_available,
	.is_up = module_is_up,
	.leftovers = module_is_off,
	.up = module_up,
	.held = module_held,
	.down = module_down,
	.status = module_status,
};
