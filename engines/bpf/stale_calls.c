// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls whose return will not be seen: see stale_calls.h.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "hook.h"
#include "stale_calls.h"

/* @key: of bpf_get_current_pid_tgid(); this process is in the same PID namespace. */
static bool thread_is_gone(u64 key)
{
	return syscall(SYS_tgkill, (pid_t)(key >> 32), (pid_t)key, 0) &&
	       errno == ESRCH;
}

static void forget(const struct hook_maps *maps, u64 key)
{
	if (bpf_map_delete_elem(maps->fd[HOOK_CALLS], &key))
		return;
	bpf_map_delete_elem(maps->fd[HOOK_QUESTIONS], &key);
	__atomic_fetch_sub(&maps->state->calls, 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&maps->state->missed, 1, __ATOMIC_SEQ_CST);
}

void stale_calls_end(const struct hook_maps *maps)
{
	u64 key, next;
	int more = bpf_map_get_next_key(maps->fd[HOOK_CALLS], NULL, &next);

	while (!more) {
		key = next;
		more = bpf_map_get_next_key(maps->fd[HOOK_CALLS], &key, &next);
		if (thread_is_gone(key))
			forget(maps, key);
	}
}
