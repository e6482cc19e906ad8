/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of mpu doctor: each asks about one subject, and adds its findings.
 */
#ifndef MPU_CLI_DOCTOR_INTERNAL_H
#define MPU_CLI_DOCTOR_INTERNAL_H

#include "cli/doctor/doctor.h"

/* doctor_kernel.c, doctor_nodes.c: kernel, lockdown, headers, DKMS; nodes of a loaded driver */
void doctor_kernel(struct findings *findings);
void doctor_nodes(struct findings *findings);

/*
 * doctor_chain.c: container engines, and what gives them GPUs. @asks: engines are asked, by their
 * own programs; else their files are read. @by_runtime: only containers of mpu-runtime are
 * translated
 */
void doctor_chain(struct findings *findings, bool asks, bool by_runtime);

/*
 * Finds the name by which an engine knows a runtime that gives GPUs, to be freed; NULL: it knows none.
 * @ours: one of ours; @asks: as above; @by_default: containers that name none get it
 */
char *chain_runtime(const char *engine, bool ours, bool asks, bool *by_default);

/* doctor_containers.c: the measurement */
void doctor_containers(struct findings *findings, bool through_engine,
		       struct measurement *measurement);
void doctor_add_measurement(struct json_object *answer, const struct measurement *measurement);
void doctor_print_measurement(const struct measurement *measurement);

#endif /* MPU_CLI_DOCTOR_INTERNAL_H */
