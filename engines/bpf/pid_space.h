/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes to the programs whose PIDs the driver uses, control by control.
 */
#ifndef MPU_BPF_PID_SPACE_H
#define MPU_BPF_PID_SPACE_H

#include <stdbool.h>
#include <stdint.h>

struct bpf_state;
struct calibration;

/**
 * pid_space_coming() - which driver it is that is there now
 *
 * The kernel may exchange the driver while it is asked. Asked before, this number says
 * which one has answered.
 */
uint32_t pid_space_coming(const struct bpf_state *state);

/**
 * pid_space_look_up() - tell the programs what the driver's version says
 * @module:	the driver's
 *
 * A driver may not say its version before it has started. Until it is told here or by
 * pid_space_set_measured(), the programs keep containers from asking it.
 */
void pid_space_look_up(struct bpf_state *state, const char *module);

/**
 * pid_space_measure() - measure it, as far as that is possible now
 * @dev:	folder of the device nodes
 *
 * The programs leave the measuring process alone. Return: was all of it measured?
 */
bool pid_space_measure(struct bpf_state *state, const char *dev,
		       struct calibration *found);

/**
 * pid_space_set_measured() - tell the programs what was measured
 * @coming:	pid_space_coming() before that
 */
void pid_space_set_measured(struct bpf_state *state,
			    const struct calibration *found, uint32_t coming);

/**
 * pid_space_is_translated() - is a container told its own numbers, through the
 * programs?
 *
 * The kernel says that programs are attached also where they are never run.
 * Return: false if it is told wrong ones; true also if no GPU can be asked.
 */
bool pid_space_is_translated(const char *dev);

#endif /* MPU_BPF_PID_SPACE_H */
