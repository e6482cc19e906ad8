// SPDX-License-Identifier: GPL-2.0-only
/*
 * The smallest agent there can be: takes the listeners that OCI runtimes send,
 * and answers each call that reaches them with the number in its request
 * (so that the caller can tell), letting nothing through to the kernel.
 *
 *	listener SOCKET		one line on stdout for each state received
 *
 * Runs until its standard input ends.
 */
#include <errno.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/fds.h"
#include "tests/oci/listen_at.h"

#define MAX 64

/* A connection carries one state and the descriptors it names. */
static int receive(int from)
{
	char text[65536];
	int fd = -1;
	size_t fds;
	ssize_t len = fd_receive(from, text, sizeof(text) - 1, &fd, 1, &fds);

	if (len <= 0 || !fds)
		return -1;
	text[len] = '\0';
	puts(text);
	fflush(stdout);
	return fd;
}

static void answer(int fd)
{
	struct seccomp_notif call = { 0 };
	struct seccomp_notif_resp resp = { 0 };

	if (ioctl(fd, SECCOMP_IOCTL_NOTIF_RECV, &call))
		return;
	resp.id = call.id;
	resp.val = call.data.args[1] & 0xff;
	ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &resp);
}

int main(int argc, char **argv)
{
	struct pollfd fd[MAX] = { { .fd = 0 }, { .events = POLLIN } };
	int count = 2;
	int i;

	if (argc == 2)
		unlink(argv[1]);
	fd[1].fd = argc == 2 ? listen_at(argv[1]) : -1;
	if (fd[1].fd < 0) {
		fprintf(stderr, "listener: cannot listen: %s\n", strerror(errno));
		return 1;
	}
	while (poll(fd, (nfds_t)count, -1) > 0 || errno == EINTR) {
		if (fd[0].revents)
			return 0;
		for (i = count - 1; i > 1; i--) {
			if (fd[i].revents & POLLIN) {
				answer(fd[i].fd);
			} else if (fd[i].revents) {
				close(fd[i].fd);
				fd[i] = fd[--count];
			}
		}
		if (fd[1].revents & POLLIN) {
			int from = accept(fd[1].fd, NULL, NULL);
			int got = receive(from);

			close(from);
			if (got >= 0 && count < MAX)
				fd[count++] = (struct pollfd){
					.fd = got, .events = POLLIN };
		}
	}
	return 1;
}
