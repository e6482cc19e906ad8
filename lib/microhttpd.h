/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libmicrohttpd, loaded when it is asked for: it brings GnuTLS and eight libraries
 * more, which would make each start of mpu take four times as long (3.0 ms of CPU
 * instead of 0.7, measured on Debian 12), those of mpu-runtime for containers, too.
 *
 * The static mpu has it inside, without TLS: Debian has no static p11-kit, which
 * GnuTLS needs.
 */
#ifndef MPU_LIB_MICROHTTPD_H
#define MPU_LIB_MICROHTTPD_H

#include <microhttpd.h>
#include <stdbool.h>

#include "lib/why.h"

/* The functions that are used of it: X(NAME), of MHD_NAME */
#define MICROHTTPD_EACH(X) \
	X(add_response_header) X(create_response_from_buffer) \
	X(destroy_response) X(get_connection_info) X(get_daemon_info) \
	X(get_timeout) X(lookup_connection_value) X(queue_response) \
	X(resume_connection) X(run) X(start_daemon) X(stop_daemon) \
	X(suspend_connection)

#define MICROHTTPD_MEMBER(name) __typeof__(MHD_##name) *name;
struct microhttpd {
	MICROHTTPD_EACH(MICROHTTPD_MEMBER)
};
#undef MICROHTTPD_MEMBER

/** microhttpd_has_tls() - can this mpu speak TLS? */
bool microhttpd_has_tls(void);

/**
 * microhttpd_load() - have its functions
 *
 * Return: 0, or -ENOENT and a sentence in @why: it is not installed.
 */
int microhttpd_load(struct microhttpd *library, char why[WHY_SIZE]);

#endif /* MPU_LIB_MICROHTTPD_H */
