/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What mpu doctor finds.
 */
#ifndef MPU_CLI_FINDING_H
#define MPU_CLI_FINDING_H

#include <stdbool.h>
#include <stddef.h>

struct json_object;

/* What to do about a finding that is fine. */
#define NOTHING		"nothing to do"

enum verdict {
	FINE,
	NOTE,		/* worth knowing, nothing is broken */
	PROBLEM,	/* keeps MPU from working */
};

/**
 * struct finding - one thing that was looked at
 * @about:	one word
 * @found:	what was found
 * @todo:	what to do about it, a sentence without its full stop
 */
struct finding {
	enum verdict verdict;
	char about[32];
	char found[1024];
	char todo[512];
};

/* Room for all that are ever made; one more is a mistake of ours. */
#define FINDINGS	48

/**
 * struct findings - in the order they were made
 */
struct findings {
	size_t count;
	struct finding finding[FINDINGS];
};

/** finding_add() - one more; @fmt: what was found */
void finding_add(struct findings *findings, const char *about,
		 enum verdict verdict, const char *todo, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/** findings_have() - is there one with this verdict? */
bool findings_have(const struct findings *findings, enum verdict verdict);

/** findings_print(), findings_add_json() - for people; as member "findings" */
void findings_print(const struct findings *findings);
void findings_add_json(struct json_object *answer,
		       const struct findings *findings);

#endif /* MPU_CLI_FINDING_H */
