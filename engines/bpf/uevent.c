// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's announcements of modules: its uevents, on a netlink socket.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/netlink.h>

#include "engines/bpf/internal.h"

/* Return: a descriptor that poll(2) takes, or -1 and errno. */
int uevent_open(void)
{
	struct sockaddr_nl address = {
		.nl_family = AF_NETLINK, .nl_groups = 1,
	};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address))) {
		int err = errno;

		close(fd);
		errno = err;
		return -1;
	}
	return fd;
}

/* @text: "add@/module/nvidia", "remove@/module/nvidia", or something else */
static void read_one(struct uevent *uevent, const char *text, const char *module)
{
	char gone[96];

	if (!strncmp(text, "add@/module/", 12))
		uevent->came = true;
	snprintf(gone, sizeof(gone), "remove@/module/%s", module);
	if (!strcmp(text, gone)) {
		uevent->gone = true;
		uevent->came = false;
	}
}

/* Reads all since the last time; does not wait. @module: to report as @gone */
struct uevent uevent_read(int fd, const char *module)
{
	struct uevent uevent = { 0 };
	bool lost = false;
	char text[4096];
	ssize_t n;

	for (;;) {
		n = recv(fd, text, sizeof(text) - 1, MSG_DONTWAIT);
		/* More was announced than the socket holds: it can be anything, after that. */
		if (n < 0 && errno == ENOBUFS) {
			lost = true;
			continue;
		}
		if (n <= 0)
			return lost ? (struct uevent){ true, true } : uevent;
		text[n] = '\0';
		read_one(&uevent, text, module);
	}
}
