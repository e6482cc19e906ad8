// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes to the programs whose PIDs the driver uses, control by control.
 */
#include <stddef.h>

#include "engines/bpf/internal.h"
#include "nvidia/nvidia.h"

/* Asked before the driver is, this number says which one has answered. */
uint32_t pid_space_coming(const struct bpf_state *state)
{
	return __atomic_load_n(&state->coming, __ATOMIC_ACQUIRE);
}

static void set_pid_space(struct bpf_state *state, const struct calibration *found, uint32_t coming)
{
	unsigned int i;

	state->branch = found->driver.branch;
	for (i = 0; i < MPU_CONTROLS; i++) {
		state->pid_space[i] = found->control[i].pid_space;
		state->measured[i] = found->control[i].measured;
	}
	__atomic_store_n(&state->known, coming, __ATOMIC_RELEASE);
}

/* Goes by the version, which a driver may not say before it has started: refused until then. */
void pid_space_look_up(struct bpf_state *state, const char *module)
{
	struct calibration found = { .seen.has_symbol = -1 };
	uint32_t coming = pid_space_coming(state);

	driver_read(&found.driver, module);
	if (infer_regime_by_version(&found.driver) == MPU_REGIMES)
		return;
	infer_pid_space(&found);
	set_pid_space(state, &found, coming);
}

/* A predecessor's programs may be at work still: they are told as well. */
static void exempt_process(pid_t tgid, void *state)
{
	state_exempt(state, tgid, CALIBRATE_PATIENCE + 2);
	pins_exempt(tgid, CALIBRATE_PATIENCE + 2);
}

/* Return: was all of it measured? */
bool pid_space_measure(struct bpf_state *state, const char *dev, struct calibration *found)
{
	calibrate_run(found, dev, exempt_process, state);
	exempt_process(0, state);
	return found->step == CALIBRATE_DONE;
}

void pid_space_set_measured(struct bpf_state *state, const struct calibration *found,
			    uint32_t coming)
{
	/* A driver that was not reached has said nothing. */
	if (found->step > CALIBRATE_DRIVER)
		set_pid_space(state, found, coming);
}

/*
 * Is a container told its own numbers? The kernel says that programs are attached also
 * where they are never run. Return: true also if no GPU can be asked.
 */
bool pid_space_is_translated(const char *dev)
{
	struct calibration found;

	return calibrate_run(&found, dev, NULL, NULL) || infer_is_translated(&found);
}
