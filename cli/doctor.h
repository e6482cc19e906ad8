/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Findings of mpu doctor.
 */
#ifndef MPU_CLI_DOCTOR_H
#define MPU_CLI_DOCTOR_H

struct json_object;

enum verdict {
	FINE,
	NOTE,		/* worth knowing, nothing is broken */
	PROBLEM,	/* keeps MPU from working */
};

/**
 * finding() - add one
 * @list:	array of findings
 * @about:	one word
 * @todo:	what to do about it, a sentence without its full stop
 * @fmt:	what was found
 */
void finding(struct json_object *list, const char *about, enum verdict verdict,
	     const char *todo, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* By enum flavour. */
extern const char *const flavour_text[];

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
