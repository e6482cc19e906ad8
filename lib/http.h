/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A server of two pages, each made when somebody asks for it, and given to each as it
 * takes it: compressed by gzip or not.
 *
 * A page is made in a thread of its own, once for all who ask meanwhile; while that takes
 * too long, who asks is told so. Each connection is for one request; where there are too
 * many, that goes which has been there longest without asking. There are also /healthz, 503
 * while a page takes too long, and /livez, always 200. There is no TLS, and nobody is asked
 * who they are: a proxy does both (docs/metrics.md).
 */
#ifndef MPU_LIB_HTTP_H
#define MPU_LIB_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/why.h"

/**
 * struct http_page - what is served, and how
 * @sock:	where connections are taken, -1: nowhere; closed at the end
 * @path:	of the first page; the other one, for people, is at /
 * @type:	its Content-Type; / is HTML
 * @make:	returns 0, or negative errno, and then the answer is 500; @text is
 *		terminated, and to be freed by free(); @asked: somebody waits for it
 * @every_ms:	make the first one so long after the last, whether somebody asks or not; 0: do not
 * @fresh_ms:	for how long a page is given to others, too
 * @late_ms:	after which making one takes too long
 * @head_ms:	of a connection until its request has been read
 * @life_ms:	of a connection, whatever its client does
 * @ready:	called once connections are taken
 * @alive:	called every @alive_ms milliseconds; 0: never
 */
struct http_page {
	int sock;
	const char *path;
	const char *type;
	int (*make)(void *arg, const char *path, bool asked, char **text, size_t *length);
	void *arg;
	unsigned int every_ms;
	unsigned int fresh_ms;
	unsigned int late_ms;
	unsigned int head_ms;
	unsigned int life_ms;
	void (*ready)(int sock);
	void (*alive)(void);
	unsigned int alive_ms;
};

/**
 * http_serve() - serve it until SIGTERM or SIGINT
 *
 * To be called by the only thread there is. Return: 0, or negative errno and a
 * sentence in @why.
 */
int http_serve(const struct http_page *page, char why[WHY_SIZE]);

#endif /* MPU_LIB_HTTP_H */
