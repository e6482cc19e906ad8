// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sending a signal to the process that was meant.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/view/top/internal.h"
#include "lib/text.h"

/* Names change, the start does not; another one with this number has started later. */
static int find_again(struct host_reader *reader, const struct host_process *process)
{
	const struct host_process *now;
	bool is_it;

	host_reader_read(reader, &process->pid, 1, &now);
	is_it = !now->is_gone && now->started_us == process->started_us;
	host_reader_sweep(reader);
	return is_it ? 0 : -ESRCH;
}

/*
 * Takes a process that was read a moment ago. @reader: as old as that which has read it: both
 * tell the time of day by the clock as it was when they were opened. Return: -ESRCH: it has
 * ended, and its number may be another's.
 */
int target_hold(struct target *target, struct host_reader *reader,
		const struct host_process *process)
{
	char whose[OWNER_FULL];
	long pidfd;
	int ret;

	if (process->is_gone)
		return -ESRCH;
	/* Not in every C library that this is built with; Linux 5.3 has it. */
	pidfd = syscall(SYS_pidfd_open, process->pid, 0);
	if (pidfd < 0)
		return -errno;
	target->pidfd = (int)pidfd;
	target->pid = process->pid;
	snprintf(target->name, sizeof(target->name), "%s", process->name);
	usage_name(whose, process->owner);
	text_copy(target->whose, sizeof(target->whose), whose, strlen(whose));
	/* Read now that it is held: what is held is what the list has shown. */
	ret = find_again(reader, process);
	if (ret)
		target_release(target);
	return ret;
}

int target_find_signal(const char *text)
{
	char *end;
	long number = strtol(text, &end, 10);
	int i;

	if (*text && !*end)
		return number > 0 && number < NSIG ? (int)number : -1;
	if (!strncasecmp(text, "sig", 3))
		text += 3;
	for (i = 1; i < NSIG; i++) {
		const char *name = sigabbrev_np(i);

		if (name && !strcasecmp(name, text))
			return i;
	}
	return -1;
}

const char *target_signal_name(int number)
{
	const char *name = sigabbrev_np(number);

	return name ? name : "RT";
}

int target_send(const struct target *target, int number)
{
	if (syscall(SYS_pidfd_send_signal, target->pidfd, number, NULL, 0))
		return -errno;
	return 0;
}

void target_release(struct target *target)
{
	if (target->pidfd > 0)
		close(target->pidfd);
	*target = (struct target){ 0 };
}
