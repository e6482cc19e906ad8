/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cases of the suite, by name; suite.c runs each in a fixture of its own.
 */
#ifndef MPU_TESTS_CONFORMANCE_CASES_H
#define MPU_TESTS_CONFORMANCE_CASES_H

#include "core/regimes.h"

/*
 * Regimes in which the driver alone passes a case, a bit each; the proprietary flavour
 * counts as R0.
 */
#define IN(regime)	(1u << (regime))
#define FROM(regime)	(IN(MPU_REGIMES) - IN(regime))
#define R0_UP	FROM(MPU_R0)
#define R1_UP	FROM(MPU_R1)
#define R2_UP	FROM(MPU_R2)
#define R4_UP	FROM(MPU_R4)
#define R3_EARLY	IN(MPU_R3_EARLY)
#define NEVER	0u
#define MAYBE	IN(MPU_REGIMES)	/* depends on luck or version: not judged */

/**
 * struct test_case - one case
 * @name:	what is shown
 * @run:	the case; says how it ended by report.h
 * @native:	where it passes without an engine: elsewhere it must fail then,
 *		or it would prove nothing
 * @engines:	for these only (ON_MODULE | ...); 0: for all, and for none
 */
struct test_case {
	const char *name;
	void (*run)(void);
	unsigned int native;
	unsigned int engines;
};

/* An array for each cases_*.c, closed by an entry without a name. */
extern const struct test_case cases_root[];
extern const struct test_case cases_table[];
extern const struct test_case cases_figures[];
extern const struct test_case cases_accounting[];
extern const struct test_case cases_edges[];
extern const struct test_case cases_entry_paths[];
extern const struct test_case cases_page[];
extern const struct test_case cases_lifecycle[];
extern const struct test_case cases_races[];
extern const struct test_case cases_faults[];
extern const struct test_case cases_flight[];
extern const struct test_case cases_engine[];
extern const struct test_case cases_kernel[];
extern const struct test_case cases_differential[];
extern const struct test_case cases_evasion[];
extern const struct test_case cases_oracle[];

#endif /* MPU_TESTS_CONFORMANCE_CASES_H */
