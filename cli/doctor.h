/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of mpu doctor: each adds its findings to a list.
 */
#ifndef MPU_CLI_DOCTOR_H
#define MPU_CLI_DOCTOR_H

struct json_object;

/** doctor_kernel() - kernel, lockdown, signatures, tracing, headers, DKMS */
void doctor_kernel(struct json_object *list);

/**
 * doctor_containers() - what the driver does in a container, measured
 * @answer:	gets members "measured", "looked_up" and "controls"
 */
void doctor_containers(struct json_object *list, struct json_object *answer);

/** doctor_print_controls() - those members, for people */
void doctor_print_controls(struct json_object *answer);

#endif /* MPU_CLI_DOCTOR_H */
