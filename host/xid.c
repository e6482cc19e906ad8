// SPDX-License-Identifier: GPL-2.0-only
/*
 * Xid errors of GPUs, which the driver tells the kernel's log alone, and who waits for events.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/internal.h"
#include "lib/host.h"

void xid_log_open(struct xid_log *log)
{
	char path[256];

	log->kept = log->n = 0;
	log->fd = host_path(path, sizeof(path), "/dev/kmsg") ? -1 :
		  open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

void xid_log_close(struct xid_log *log)
{
	if (log->fd >= 0)
		close(log->fd);
}

static struct xid_last *find_last(struct xid_log *log, u32 domain, u32 bus, u32 slot)
{
	u32 i;

	for (i = 0; i < log->n; i++)
		if (log->last[i].domain == domain && log->last[i].bus == bus &&
		    log->last[i].slot == slot)
			return &log->last[i];
	return log->n < RM_GPUS ? &log->last[log->n++] : NULL;
}

/* Seconds since 1970 of a time of the log, which counts from the boot. */
static u64 time_of(unsigned long long us)
{
	struct timespec real, since_boot;

	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_MONOTONIC, &since_boot);
	return (u64)(real.tv_sec - since_boot.tv_sec) + us / 1000000;
}

#define KERNEL_BELOW	8	/* facility 0, which the kernel keeps writers of /dev/kmsg from */

/*
 * "4,820,5114922,-;NVRM: Xid (PCI:0000:41:00): 79, pid=..." (nv-kmsg.rst; nvErrorLog()), and of
 * an instance of MIG "(PCI:0000:41:00 GPU-I:05): 94". The record's text begins behind its first
 * ";": in what follows any user can have the kernel quote such a line.
 */
static void read_line(struct xid_log *log, const char *line)
{
	const char *text = strchr(line, ';');
	unsigned int domain, bus, slot, xid, origin;
	unsigned long long us;
	struct xid_last *last;
	int end = 0;

	if (!text || sscanf(line, "%u,%*u,%llu", &origin, &us) != 2 || origin >= KERNEL_BELOW ||
	    sscanf(text, ";NVRM: Xid (PCI:%x:%x:%x%n", &domain, &bus, &slot, &end) != 3)
		return;
	text += end;
	text += strcspn(text, ")");	/* of what the slot has behind it */
	if (sscanf(text, "): %u", &xid) != 1 || !xid)
		return;
	last = find_last(log, domain, bus, slot);
	if (last)
		*last = (struct xid_last){ domain, bus, slot, xid, time_of(us) };
}

/* Reads the lines that are whole. A line without an end is no record of the kernel's. */
static void read_lines(struct xid_log *log)
{
	char *line = log->text, *end;

	log->text[log->kept] = '\0';
	while ((end = memchr(line, '\n', log->kept))) {
		*end = '\0';
		read_line(log, line);
		log->kept -= (size_t)(end + 1 - line);
		line = end + 1;
	}
	if (log->kept >= sizeof(log->text) / 2)
		log->kept = 0;
	memmove(log->text, line, log->kept);
}

void xid_log_read(struct xid_log *log)
{
	ssize_t n;

	/* EPIPE: records were overwritten before they could be read. */
	do {
		n = log->fd < 0 ? 0 : read(log->fd, log->text + log->kept,
					   sizeof(log->text) - 1 - log->kept);
		if (n > 0) {
			log->kept += (size_t)n;
			read_lines(log);
		}
	} while (n > 0 || (n < 0 && (errno == EPIPE || errno == EINTR)));
}

/* Takes the last error of a GPU, 0 if there was none. */
void xid_log_take(const struct xid_log *log, const struct rm_gpu *gpu, struct gpu_state *state)
{
	u32 i;

	if (log->fd < 0)
		return;
	gpu_state_take(state, GPU_XID, 0);
	for (i = 0; i < log->n; i++) {
		const struct xid_last *last = &log->last[i];

		if (last->domain != gpu->domain || last->bus != gpu->bus || last->slot != gpu->slot)
			continue;
		gpu_state_take(state, GPU_XID, last->xid);
		gpu_state_take(state, GPU_XID_TIME, last->time);
	}
}
