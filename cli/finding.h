/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What mpu doctor finds.
 */
#ifndef MPU_CLI_FINDING_H
#define MPU_CLI_FINDING_H

struct json_object;

/* What to do about a finding that is fine. */
#define NOTHING		"nothing to do"

enum verdict {
	FINE,
	NOTE,		/* worth knowing, nothing is broken */
	PROBLEM,	/* keeps MPU from working */
};

/* By enum verdict, as they are printed. */
extern const char *const verdict_names[];

/**
 * finding_add() - one more
 * @list:	array of findings
 * @about:	one word
 * @todo:	what to do about it, a sentence without its full stop
 * @fmt:	what was found
 */
void finding_add(struct json_object *list, const char *about,
		 enum verdict verdict, const char *todo, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

#endif /* MPU_CLI_FINDING_H */
