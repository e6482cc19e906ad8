// SPDX-License-Identifier: GPL-2.0-only
/*
 * systemd's protocols: see service.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/fds.h"
#include "lib/service.h"

#define FIRST_FD	3	/* SD_LISTEN_FDS_START */

unsigned int service_watchdog_ms(void)
{
	const char *pid = getenv("WATCHDOG_PID"), *us = getenv("WATCHDOG_USEC");

	if (!us || (pid && atoi(pid) != getpid()))
		return 0;
	return (unsigned int)(strtoull(us, NULL, 10) / 1000);
}

int service_tell(const char *text, int fd)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct timeval soon = { .tv_usec = 200000 };
	size_t len = path ? strlen(path) : 0;
	socklen_t size;
	int sock, ret;

	if (!len)
		return 0;
	if (len >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	memcpy(address.sun_path, path, len);
	if (*path == '@')
		address.sun_path[0] = '\0';	/* an abstract name */
	size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
	sock = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (sock < 0)
		return -errno;
	/* A manager that does not listen must not stop us. */
	setsockopt(sock, SOL_SOCKET, SO_SNDTIMEO, &soon, sizeof(soon));
	ret = connect(sock, (struct sockaddr *)&address, size) ? -errno :
	      fd_send(sock, text, strlen(text), fd);
	close(sock);
	return ret;
}

void service_take(void (*take)(int fd, const char *name, void *arg), void *arg)
{
	const char *pid = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
	const char *names = getenv("LISTEN_FDNAMES");
	char *copy = names ? strdup(names) : NULL;
	char *rest = copy;
	int i, n = count ? atoi(count) : 0;

	if (!pid || atoi(pid) != getpid())
		n = 0;
	for (i = 0; i < n; i++) {
		char *name = strsep(&rest, ":");

		fcntl(FIRST_FD + i, F_SETFD, FD_CLOEXEC);
		take(FIRST_FD + i, name ? name : "", arg);
	}
	free(copy);
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
}
