/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Xid errors of GPUs, which the driver tells nobody but the kernel's log (and who waits
 * for its events).
 */
#ifndef MPU_HOST_XID_H
#define MPU_HOST_XID_H

#include "nvidia/state.h"

/**
 * struct xid_log - what the log has said so far; the fields are the library's own
 * @fd:		/dev/kmsg, -1: it may not be read
 * @kept:	of @text: the beginning of a line
 * @last:	of each GPU that had one
 */
struct xid_log {
	int fd;
	size_t kept;
	char text[16384];
	u32 n;
	struct xid_last {
		u32 domain, bus, slot;
		u32 xid;
		u64 time;	/* seconds since 1970 */
	} last[RM_GPUS];
};

/** xid_log_open() - begin; xid_log_close() is due */
void xid_log_open(struct xid_log *log);

/** xid_log_read() - read what is new in the log */
void xid_log_read(struct xid_log *log);

/** xid_log_take() - take the last error of a GPU, 0 if there was none */
void xid_log_take(const struct xid_log *log, const struct rm_gpu *gpu,
		  struct gpu_state *state);

void xid_log_close(struct xid_log *log);

#endif /* MPU_HOST_XID_H */
