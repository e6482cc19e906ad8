// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads how the kernel preempts itself, which decides whether it runs the programs.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "engines/bpf/internal.h"
#include "lib/host.h"

#define DEBUGFS	"/sys/kernel/debug"
#define MODEL	"sched/preempt"

/* Makes debugfs reachable where it is not mounted, for us alone. Return: a folder, or -1. */
static int open_debugfs(void)
{
	int fs = fsopen("debugfs", FSOPEN_CLOEXEC);
	int folder = -1;

	if (fs < 0)
		return -1;
	if (!fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		folder = fsmount(fs, FSMOUNT_CLOEXEC, 0);
	close(fs);
	return folder;
}

/* Reads the model that a kernel with several is set to: "none (voluntary) full". */
static bool read_model(char *text, size_t size)
{
	int folder, len = host_read(text, size, DEBUGFS "/" MODEL);

	if (len > 0 || host_is_other())
		return len > 0;
	folder = open_debugfs();
	if (folder < 0)
		return false;
	len = host_read_at(folder, MODEL, text, size);
	close(folder);
	return len > 0;
}

#define SKIPS(how)	"this kernel is preemptible (" how "): whoever works with bpf(2) keeps it from running programs for others"
#define UNKNOWN(why)	"this kernel does not say whether it is preemptible: " why

/*
 * Does the kernel skip programs for how it preempts? It runs no program at a probe on a
 * CPU where a call of bpf(2) has begun and not ended (trace_call_bpf(),
 * bpf_disable_instrumentation()), and a preemptible one runs others there meanwhile.
 *
 * The kernel's version says what it was built for (init/Makefile): PREEMPT_RT;
 * PREEMPT_DYNAMIC, several models, one of which is set when it boots and later;
 * PREEMPT, full or lazy, and so is it set; or nothing.
 * Return: a sentence, also if it cannot be known; NULL: it does not.
 */
const char *preempt_problem(void)
{
	char text[256];

	if (host_read(text, sizeof(text), "/proc/sys/kernel/version") <= 0)
		return UNKNOWN("/proc is not readable");
	if (strstr(text, "PREEMPT_RT"))
		return SKIPS("PREEMPT_RT");
	if (!strstr(text, "PREEMPT"))
		return NULL;
	if (!strstr(text, "PREEMPT_DYNAMIC"))
		return SKIPS("CONFIG_PREEMPT or CONFIG_PREEMPT_LAZY");
	if (!read_model(text, sizeof(text)))
		return UNKNOWN("it has no debugfs, or no sched/preempt there (CONFIG_SCHED_DEBUG)");
	if (strstr(text, "(lazy)"))
		return SKIPS("preempt=lazy");
	return strstr(text, "(full)") ? SKIPS("preempt=full") : NULL;
}
