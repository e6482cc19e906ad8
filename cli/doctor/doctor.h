/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of mpu doctor: each asks about one subject, and adds its findings.
 */
#ifndef MPU_CLI_DOCTOR_DOCTOR_H
#define MPU_CLI_DOCTOR_DOCTOR_H

#include <stdbool.h>

#include "cli/command/command.h"
#include "cli/doctor/node_state.h"
#include "nvidia/nvidia.h"

extern const struct command command_doctor;

/** doctor_kernel() - kernel, lockdown, signatures, tracing, headers, DKMS */
void doctor_kernel(struct findings *findings);

/** doctor_nodes() - device nodes of the driver, if it is loaded */
void doctor_nodes(struct findings *findings);

/**
 * doctor_chain() - container engines, and what gives them GPUs
 * @asks:	engines are asked, by their own programs; else their files are read
 * @by_runtime:	only containers of mpu-runtime are translated
 */
void doctor_chain(struct findings *findings, bool asks, bool by_runtime);

/**
 * struct measurement - what a container is told
 * @made:	it could be made
 * @through_engine: by an engine and the driver; else by the driver alone
 * @found:	what was observed
 */
struct measurement {
	bool made;
	bool through_engine;
	struct calibration found;
};

/**
 * doctor_examine() - ask all of mpu doctor's questions
 * @asks:	as for doctor_chain()
 *
 * They start and stop nothing, and may be asked from any thread. Some take their time:
 * the measurement starts two processes, and takes 2 x 2 MiB of a GPU for a moment; it
 * takes a minute if the driver hangs. Where no engine is up, a BPF program is loaded, and
 * taken away again, to find out whether the kernel allows engine bpf.
 */
void doctor_examine(struct node_state *state, struct measurement *measurement, bool asks);

/**
 * doctor_containers() - make the measurement
 * @through_engine: an engine is in front of the driver
 */
void doctor_containers(struct findings *findings, bool through_engine,
		       struct measurement *measurement);

/**
 * doctor_add_measurement() - members "measured", "looked_up" and "controls", as
 * far as there is anything to say
 */
void doctor_add_measurement(struct json_object *answer,
			    const struct measurement *measurement);

/** doctor_print_measurement() - whose PIDs the driver uses, for people */
void doctor_print_measurement(const struct measurement *measurement);

#endif /* MPU_CLI_DOCTOR_DOCTOR_H */
