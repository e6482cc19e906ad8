// SPDX-License-Identifier: GPL-2.0-only
/*
 * The other end of a runtime's --console-socket, in place of the program of that name
 * that runc's test suite has in Go: it takes the terminals of containers and reads what
 * they write, so that none of them waits.
 *
 *	recvtty --mode null [--pid-file FILE] SOCKET	any number of them, copied nowhere
 *	recvtty [--no-stdin] [--pid-file FILE] SOCKET	one, copied to standard output,
 *							until it ends
 *
 * The suite writes nothing to a terminal: standard input is not read in either mode.
 */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "lib/fds.h"
#include "tests/oci/listen_at.h"

#define MAX	64	/* terminals, and the socket in front of them */

static int write_pid(const char *path)
{
	FILE *file = fopen(path, "we");

	if (!file)
		return -1;
	fprintf(file, "%d\n", getpid());
	return fclose(file);
}

/* A connection brings one terminal, with its name as the text. Return: -1: it did not. */
static int accept_terminal(int sock)
{
	int from = accept4(sock, NULL, NULL, SOCK_CLOEXEC);
	struct termios how;
	char name[4096];
	int fd = -1;
	size_t fds;

	if (from < 0)
		return -1;
	if (fd_receive(from, name, sizeof(name), &fd, 1, &fds) < 0 || !fds)
		fd = -1;
	close(from);
	/* Lines end as the container wrote them. */
	if (fd >= 0 && !tcgetattr(fd, &how)) {
		how.c_oflag &= ~(tcflag_t)ONLCR;
		tcsetattr(fd, TCSANOW, &how);
	}
	return fd;
}

/* Return: whether there may be more: a terminal that nobody has open any more says EIO. */
static bool copy(int from, bool heard)
{
	char text[4096];
	ssize_t n = read(from, text, sizeof(text));

	if (n > 0 && heard && write(STDOUT_FILENO, text, (size_t)n) != n)
		return false;
	return n > 0 || (n < 0 && errno == EINTR);
}

static int serve(int sock, bool many)
{
	struct pollfd fd[MAX] = { { .fd = sock, .events = POLLIN } };
	nfds_t count = 1, i;
	int got;

	while (poll(fd, count, -1) > 0 || errno == EINTR) {
		for (i = count - 1; i > 0; i--) {
			if (!fd[i].revents || copy(fd[i].fd, !many))
				continue;
			if (!many)
				return 0;
			close(fd[i].fd);
			fd[i] = fd[--count];
		}
		if (!fd[0].revents)
			continue;
		got = accept_terminal(sock);
		if (got >= 0 && count < MAX)
			fd[count++] = (struct pollfd){ .fd = got, .events = POLLIN };
		/* A single connection is enough: nobody is to connect any more. */
		if (got >= 0 && !many)
			fd[0].fd = -1;
	}
	return 1;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "mode", required_argument, NULL, 'm' },
		{ "no-stdin", no_argument, NULL, 'n' },
		{ "pid-file", required_argument, NULL, 'p' },
		{ 0 }
	};
	const char *pid_file = NULL;
	bool many = false;
	int option, sock;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == '?')
			return 2;
		if (option == 'm')
			many = !strcmp(optarg, "null");
		if (option == 'p')
			pid_file = optarg;
	}
	if (argc - optind != 1)
		return 2;
	sock = listen_at(argv[optind]);
	if (sock < 0 || (pid_file && write_pid(pid_file))) {
		fprintf(stderr, "recvtty: cannot listen: %s\n", strerror(errno));
		return 1;
	}
	return serve(sock, many);
}
