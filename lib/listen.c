// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sockets that connections are taken at: see listen.h.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/listen.h"

#define QUEUE	64	/* clients that are not accepted yet */

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	struct sockaddr_un path;
};

/* A decimal number up to 65535, without a sign; -1: it is none. */
static int parse_port(const char *text)
{
	char *end;
	long port;

	if (*text < '0' || *text > '9')
		return -1;
	port = strtol(text, &end, 10);
	return *end || port > UINT16_MAX ? -1 : (int)port;
}

/* Return: its size; 0: it is no address. */
static socklen_t parse_address(union address *address, const char *text)
{
	const char *colon = strrchr(text, ':');
	char host[LISTEN_ADDRESS];
	size_t n = colon ? (size_t)(colon - text) : 0;
	int port = colon ? parse_port(colon + 1) : -1;

	memset(address, 0, sizeof(*address));
	if (*text == '/' && strlen(text) < sizeof(address->path.sun_path)) {
		address->path.sun_family = AF_UNIX;
		strcpy(address->path.sun_path, text);
		return sizeof(address->path);
	}
	if (!n || n >= sizeof(host) || port < 0)
		return 0;
	memcpy(host, text, n);
	host[n] = '\0';
	if (inet_pton(AF_INET, host, &address->v4.sin_addr) == 1) {
		address->v4.sin_family = AF_INET;
		address->v4.sin_port = htons((uint16_t)port);
		return sizeof(address->v4);
	}
	if (host[0] != '[' || host[n - 1] != ']')
		return 0;
	host[n - 1] = '\0';
	if (inet_pton(AF_INET6, host + 1, &address->v6.sin6_addr) != 1)
		return 0;
	address->v6.sin6_family = AF_INET6;
	address->v6.sin6_port = htons((uint16_t)port);
	return sizeof(address->v6);
}

/* Binds it; [::] is all addresses of IPv4, too, whatever net.ipv6.bindv6only says. */
static int bind_socket(int sock, const union address *address, socklen_t size)
{
	const bool is_path = address->any.sa_family == AF_UNIX;
	int yes = 1, no = 0;
	struct stat old;

	if (address->any.sa_family == AF_INET6)
		setsockopt(sock, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof(no));
	/* A socket that somebody listens at is left alone. */
	if (is_path && !connect(sock, &address->any, size)) {
		errno = EADDRINUSE;
		return -1;
	}
	if (is_path && errno == ECONNREFUSED && !lstat(address->path.sun_path, &old) &&
	    S_ISSOCK(old.st_mode))
		unlink(address->path.sun_path);
	/* Connections of one before, which the kernel remembers, are no hindrance. */
	if (setsockopt(sock, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) ||
	    bind(sock, &address->any, size))
		return -1;
	/* As at an address, everybody may connect who gets there. */
	return is_path ? chmod(address->path.sun_path, 0666) : 0;
}

int listen_open(const char *text, char why[WHY_SIZE])
{
	union address address;
	socklen_t size = parse_address(&address, text);
	char ipv4[LISTEN_ADDRESS];
	int sock, ret;

	if (!size)
		return why_fail(why, -EINVAL, "'%s' is not an address to listen at: give it numbers, as 127.0.0.1:80 or [::1]:80, or the path of a socket",
				text);
	sock = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	/* All addresses are those of IPv4 where the kernel has no IPv6. */
	if (sock < 0 && errno == EAFNOSUPPORT && !strncmp(text, "[::]:", 5)) {
		snprintf(ipv4, sizeof(ipv4), "0.0.0.0:%s", text + 5);
		return listen_open(ipv4, why);
	}
	if (sock < 0)
		return why_fail(why, -errno, "cannot listen at %s: %s", text, strerror(errno));
	if (bind_socket(sock, &address, size) || listen(sock, QUEUE)) {
		ret = why_fail(why, -errno, "cannot listen at %s: %s", text, strerror(errno));
		close(sock);
		return ret;
	}
	return sock;
}

int listen_connect(const char *path, int seconds)
{
	const struct timeval limit = { .tv_sec = seconds };
	union address address;
	socklen_t size = parse_address(&address, path);
	int sock = size ? socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1, err;

	if (!size || sock < 0)
		return size ? -errno : *path == '/' ? -ENAMETOOLONG : -EINVAL;
	/* connect() waits, too, while too many others wait to be accepted. */
	setsockopt(sock, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	if (!connect(sock, &address.any, size))
		return sock;
	err = -errno;
	close(sock);
	return err;
}

void listen_address(int sock, char text[LISTEN_ADDRESS])
{
	union address address = { 0 };
	socklen_t size = sizeof(address);
	char host[INET6_ADDRSTRLEN] = "";

	getsockname(sock, &address.any, &size);
	if (address.any.sa_family == AF_UNIX) {
		snprintf(text, LISTEN_ADDRESS, "unix:%s:", address.path.sun_path);
	} else if (address.any.sa_family == AF_INET6) {
		inet_ntop(AF_INET6, &address.v6.sin6_addr, host, sizeof(host));
		snprintf(text, LISTEN_ADDRESS, "[%s]:%u", host, ntohs(address.v6.sin6_port));
	} else {
		inet_ntop(AF_INET, &address.v4.sin_addr, host, sizeof(host));
		snprintf(text, LISTEN_ADDRESS, "%s:%u", host, ntohs(address.v4.sin_port));
	}
}
