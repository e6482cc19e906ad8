/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The requirement language: conditions on driver and GPU that images bring in
 * NVIDIA_REQUIRE_... ("cuda>=12.4 brand=tesla,driver>=535").
 */
#ifndef MPU_CONTAINER_REQUEST_REQUIREMENT_H
#define MPU_CONTAINER_REQUEST_REQUIREMENT_H

#include <stddef.h>

#include "container/request/selection.h"
#include "lib/strv.h"
#include "lib/why.h"
#include "nvidia/installation.h"

/**
 * struct requirement_facts - what conditions are about
 *
 * NULL: not known, and then a condition on it holds.
 */
struct requirement_facts {
	const char *driver, *cuda, *arch, *brand;
};

/**
 * enum requirement_dialect - whose reading of the language
 *
 * nvidia-container-cli's: a name in any case; what is wrong is noticed where it is
 * reached. The toolkit's own, for mode csv: a name as it is written, a factor of
 * an unknown one left out; what is wrong is noticed wherever it stands.
 */
enum requirement_dialect { REQUIREMENT_CLI, REQUIREMENT_TOOLKIT };

struct requirement_fact;	/* a value of struct requirement_facts */

/**
 * struct requirement_factor - "cuda>=12.4"
 * @term:	the term that it is in, counted from 0
 * @fact:	what it is about; NULL: it is no factor
 * @op:		"="
 * @value:	"12.4"
 */
struct requirement_factor {
	size_t term;
	const struct requirement_fact *fact;
	const char *op;
	char *value;
};

/**
 * struct requirement - an expression
 *
 * Terms between spaces are alternatives, factors between commas must all hold.
 */
struct requirement {
	enum requirement_dialect dialect;
	struct requirement_factor *factor;
	size_t n;
};

/**
 * requirement_parse() - read an expression
 *
 * Return: 0, or -EINVAL or -ENOMEM and a sentence in @why. Either way
 * requirement_free() is to follow.
 */
int requirement_parse(struct requirement *requirement, const char *expression,
		      enum requirement_dialect dialect, char why[WHY_SIZE]);

/** requirement_name() - what a factor is about: "cuda" */
const char *requirement_name(const struct requirement_factor *factor);

/**
 * requirement_holds() - does a term of it hold?
 *
 * Read from the left, no further than needed.
 *
 * Return: 1: yes; 0: none does, or there is none; -EINVAL: what was reached is no
 * factor.
 */
int requirement_holds(const struct requirement *requirement,
		      const struct requirement_facts *facts);

void requirement_free(struct requirement *requirement);

/**
 * requirement_check() - does an expression hold? An empty one does.
 *
 * Return: 0; -ENOTSUP: it does not; -EINVAL: it is not an expression; -ENOMEM;
 * with a sentence in @why: "requirement error: unsatisfied condition: cuda>=12.4".
 */
int requirement_check(const char *expression, enum requirement_dialect dialect,
		      const struct requirement_facts *facts,
		      char why[WHY_SIZE]);

/**
 * requirement_check_all() - do all expressions hold, for each GPU that is selected?
 *
 * Return: as requirement_check().
 */
int requirement_check_all(const struct strv *expressions,
			  enum requirement_dialect dialect,
			  const struct installation *installation,
			  const struct selection *selection, char why[WHY_SIZE]);

#endif /* MPU_CONTAINER_REQUEST_REQUIREMENT_H */
