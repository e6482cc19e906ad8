// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes to the suite's machine: see suite.h.
 */
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include "tests/conformance/suite.h"

const char *host_read_text(const char *path)
{
	static char text[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[n < 0 ? 0 : n] = '\0';
	return text;
}

int host_load_module(const char *path, const char *options)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = syscall(SYS_finit_module, fd, options ? options : "", 0) ? -errno : 0;
	close(fd);
	return ret;
}

int host_unload_module(const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? -errno : 0;
}

/* A module is named by its file, dashes aside. */
const char *driver_name(void)
{
	static char name[64];
	const char *base = strrchr(options.driver, '/');
	size_t i;

	snprintf(name, sizeof(name), "%s", base ? base + 1 : options.driver);
	name[strcspn(name, ".")] = '\0';
	for (i = 0; name[i]; i++)
		if (name[i] == '-')
			name[i] = '_';
	return name;
}

bool driver_is_real(void)
{
	return !strcmp(driver_name(), "nvidia");
}

/* Makes the nodes, as nvidia-modprobe does: the driver makes none itself. */
void host_make_nodes(void)
{
	char path[32];
	int i;

	for (i = 0; i < 8; i++) {
		snprintf(path, sizeof(path), "/dev/nvidia%d", i);
		mknod(path, S_IFCHR | 0666, makedev(NV_MAJOR, i));
	}
	mknod("/dev/nvidiactl", S_IFCHR | 0666, makedev(NV_MAJOR, NV_MINOR_CTL));
}

/* In a file of /proc/sys/kernel. */
static int write_number(const char *path, int number)
{
	FILE *f = fopen(path, "we");
	int ret;

	if (!f)
		return -errno;
	ret = fprintf(f, "%d", number) < 0 ? -EIO : 0;
	if (fclose(f))
		ret = -errno;
	return ret;
}

int host_set_next_pid(pid_t pid)
{
	return write_number("/proc/sys/kernel/ns_last_pid", pid - 1);
}

int host_raise_pid_max(void)
{
	return write_number("/proc/sys/kernel/pid_max", 4194304);
}

unsigned int host_page_size(void)
{
	return (unsigned int)sysconf(_SC_PAGESIZE);
}
