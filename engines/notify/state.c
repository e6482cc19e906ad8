// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory that outlives a worker, with one slot per listener.
 */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engines/notify/internal.h"
#include "lib/host.h"

/* Raise it with any change of struct state; what old_state_map() takes for granted stays. */
#define VERSION	(9u << 16 | MPU_CONTROLS)

#define DENIED_MS	1000	/* time between two looks at struct denied */

const char *notify_control_name(unsigned int control)
{
	return control < MPU_CONTROLS ? mpu_control_names[control] : "unknown";
}

static struct state *map_memory(int fd)
{
	struct state *state = mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_NORESERVE, fd, 0);

	return state == MAP_FAILED ? NULL : state;
}

/* None of the memory is taken before it is used. Return: NULL and errno. */
struct state *state_new(int *fd)
{
	struct state *state = NULL;

	*fd = memfd_create("mpu-state", MFD_CLOEXEC);
	if (*fd < 0)
		return NULL;
	if (!ftruncate(*fd, sizeof(*state)))
		state = map_memory(*fd);
	if (!state) {
		close(*fd);
		return NULL;
	}
	state->version = VERSION;
	return state;
}

/* Return: NULL and errno, EPROTO: it is of another version. */
struct state *state_map(int fd)
{
	struct state *state;
	struct stat st;

	if (fstat(fd, &st))
		return NULL;
	if (st.st_size != sizeof(*state)) {
		errno = EPROTO;
		return NULL;
	}
	state = map_memory(fd);
	if (state && state->version != VERSION) {
		munmap(state, sizeof(*state));
		state = NULL;
		errno = EPROTO;
	}
	return state;
}

static_assert(offsetof(struct state, worker) == 4 &&
	      offsetof(struct state, worker_start) == 8 &&
	      offsetof(struct slot, room) == STATE_NAME &&
	      offsetof(struct slot, fd) == STATE_NAME + 256 &&
	      sizeof(struct state) - offsetof(struct state, slot) ==
	      STATE_SLOTS * sizeof(struct slot),
	      "an agent of another version finds these where they have always been");

int old_state_map(struct old_state *old, int fd)
{
	const size_t page = __alignof__(struct slot);
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	old->size = (size_t)st.st_size;
	/* The fields before the slots take less than a page for each slot. */
	old->stride = old->size / STATE_SLOTS / page * page;
	if (!old->stride)
		return -EPROTO;
	old->memory = mmap(NULL, old->size, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);
	return old->memory == MAP_FAILED ? -errno : 0;
}

/* Returns the fields up to worker_start. */
const struct state *old_state_head(const struct old_state *old)
{
	return (const struct state *)old->memory;
}

/* Returns a slot of which the fields up to fd can be read. */
const struct slot *old_state_slot(const struct old_state *old, unsigned int index)
{
	return (const struct slot *)(old->memory + old->size - (STATE_SLOTS - index) * old->stride);
}

/* Takes over the name and the call in hand of an old_state_slot(). */
void slot_carry_over(struct slot *slot, const struct slot *old)
{
	memcpy(slot->name, old->name, sizeof(slot->name));
	memcpy(slot->room, old->room, sizeof(slot->room));
}

/*
 * A worker may be reading the name: it is whole, or empty. Whatever a runtime makes of an id, it
 * reaches logs and terminals as plain ASCII.
 */
void slot_set_name(struct slot *slot, const char *name)
{
	char clean[STATE_NAME] = "";
	size_t i;

	for (i = 0; name[i] && i < sizeof(clean) - 1; i++)
		clean[i] = isascii(name[i]) && isprint(name[i]) ? name[i] : '?';
	memcpy(slot->name + 1, clean + 1, sizeof(clean) - 1);
	__atomic_store_n(slot->name, *clean, __ATOMIC_RELEASE);
}

void totals_add(struct totals *totals, const struct slot *slot)
{
	int control, counter;

	totals->calls += slot->calls;
	totals->abandoned += slot->abandoned;
	for (control = 0; control < NOTIFY_CONTROLS; control++)
		for (counter = 0; counter < MPU_COUNTERS; counter++)
			totals->count[control][counter] += slot->count[control][counter];
}

/* Frees a slot that the worker is done with; its sums are kept. */
void slot_free(struct state *state, unsigned int index)
{
	struct slot *slot = &state->slot[index];

	totals_add(&state->gone, slot);
	memset(slot, 0, sizeof(*slot));
	state->news[index] = NEWS_NONE;
	state->used[index] = false;
}

/*
 * Says once which program of a user has no GPU, and why: this is known only when it calls. @who:
 * says it. Return: ms until it is to be looked at again, as of poll().
 */
int state_tell_denied(struct state *state, const char *who)
{
	static int may_look = -1;	/* at all callers: root may, but for one of a user namespace */
	struct denied *denied = &state->denied;

	if (may_look < 0)
		may_look = !geteuid() && !host_has_user_namespace();
	if (may_look || state->pass_unknown || denied->told)
		return -1;
	if (!denied->error)
		return DENIED_MS;
	denied->told = true;
	fprintf(stderr, "%s: GPU calls of %s fail: %s\n", who, denied->program,
		denied->error == EPERM ?
		"it is another user's than this agent, which is not in the container's user namespace: start it there (podman unshare mpu agent), or the container as root (--user 0)" :
		"you may not read its memory, since its file may be executed and not read: have root run it (mpu run -- setpriv --reuid USER --regid GROUP --init-groups COMMAND), or add --unknown pass: then it may see the host's PIDs");
	return -1;
}
