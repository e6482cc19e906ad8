// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading what the running system says about itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/fds.h"
#include "lib/host.h"

static const char *host_root = "";

void host_set_root(const char *root)
{
	host_root = root;
}

bool host_is_other(void)
{
	return host_root[0] != '\0';
}

/* Return: 0, or -ENAMETOOLONG, which is in errno, too. */
static int vpath(char *path, size_t size, const char *fmt, va_list args)
{
	size_t len = strlen(host_root);

	if (len < size) {
		memcpy(path, host_root, len);
		len += (size_t)vsnprintf(path + len, size - len, fmt, args);
	}
	if (len < size)
		return 0;
	errno = ENAMETOOLONG;
	return -errno;
}

int host_path(char *path, size_t size, const char *fmt, ...)
{
	va_list args;
	int ret;

	va_start(args, fmt);
	ret = vpath(path, size, fmt, args);
	va_end(args);
	return ret;
}

int host_read_at(int folder, const char *path, char *buf, size_t size)
{
	int fd = openat(folder, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	ssize_t len;

	*buf = '\0';
	if (fd < 0)
		return -errno;
	len = fd_read_full(fd, buf, size - 1);
	close(fd);
	if (len < 0)
		return (int)len;
	while (len && buf[len - 1] == '\n')
		len--;
	buf[len] = '\0';
	return (int)len;
}

int host_read(char *buf, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list args;
	int ret;

	buf[0] = '\0';
	va_start(args, fmt);
	ret = vpath(path, sizeof(path), fmt, args);
	va_end(args);
	return ret ? ret : host_read_at(AT_FDCWD, path, buf, size);
}

bool host_exists(const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list args;
	int ret;

	va_start(args, fmt);
	ret = vpath(path, sizeof(path), fmt, args);
	va_end(args);
	return !ret && !access(path, F_OK);
}

FILE *host_fopen(const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list args;
	int ret;

	va_start(args, fmt);
	ret = vpath(path, sizeof(path), fmt, args);
	va_end(args);
	return ret ? NULL : fopen(path, "re");
}

DIR *host_opendir(const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list args;
	int ret;

	va_start(args, fmt);
	ret = vpath(path, sizeof(path), fmt, args);
	va_end(args);
	return ret ? NULL : opendir(path);
}

bool host_is_initial(void)
{
	char text[64];
	ssize_t n = readlink("/proc/self/ns/pid", text, sizeof(text) - 1);

	/* PROC_PID_INIT_INO, include/linux/proc_ns.h */
	return n > 0 && !strncmp(text, "pid:[4026531836]", (size_t)n);
}

bool host_has_user_namespace(void)
{
	unsigned int inside, outside, count;
	char text[64];

	return host_read_at(AT_FDCWD, "/proc/self/uid_map", text, sizeof(text)) > 0 &&
	       (sscanf(text, "%u %u %u", &inside, &outside, &count) != 3 ||
		count != UINT_MAX);
}

int host_has_symbol(const char *symbol)
{
	FILE *file = host_fopen("/proc/kallsyms");
	char line[512], name[256];
	int answer = -1;

	if (!file)
		return answer;
	for (answer = 0; !answer && fgets(line, sizeof(line), file);)
		answer = sscanf(line, "%*s %*s %255s", name) == 1 && !strcmp(name, symbol);
	fclose(file);
	return answer;
}

void host_name(char *buf, size_t size)
{
	host_read(buf, size, "/proc/sys/kernel/hostname");
}

void host_release(char *buf, size_t size)
{
	struct utsname name;

	if (host_read(buf, size, "/proc/sys/kernel/osrelease") > 0)
		return;
	if (uname(&name))
		strcpy(name.release, "?");
	snprintf(buf, size, "%s", name.release);
}

/* "0-3,8-11": the last number is the highest. */
unsigned int host_cpus(void)
{
	char text[4096];
	size_t at;

	if (host_read(text, sizeof(text), "/sys/devices/system/cpu/possible") <= 0)
		return 0;
	for (at = strlen(text); at && text[at - 1] >= '0' && text[at - 1] <= '9';)
		at--;
	return text[at] ? (unsigned int)strtoul(text + at, NULL, 10) + 1 : 0;
}
