// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory that outlives a worker: see state.h.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engines/notify/state.h"

/* Raise it with any change of struct state. */
#define VERSION	(4u << 16 | MPU_CONTROLS)

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

void totals_add(struct totals *totals, const struct slot *slot)
{
	int control, counter;

	totals->calls += slot->calls;
	totals->abandoned += slot->abandoned;
	for (control = 0; control < NOTIFY_CONTROLS; control++)
		for (counter = 0; counter < MPU_COUNTERS; counter++)
			totals->count[control][counter] +=
				slot->count[control][counter];
}

void slot_free(struct state *state, unsigned int index)
{
	struct slot *slot = &state->slot[index];

	totals_add(&state->gone, slot);
	memset(slot, 0, sizeof(*slot));
	state->used[index] = false;
}
