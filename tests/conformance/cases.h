/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The suite: named cases, each in a world of its own, and what they report.
 */
#ifndef MPU_TESTS_CONFORMANCE_CASES_H
#define MPU_TESTS_CONFORMANCE_CASES_H

#include <stdbool.h>

/*
 * Regimes in which the driver alone passes a case; the proprietary flavour
 * counts as R0.
 */
#define R0_UP	0x1f
#define R1_UP	0x1e
#define R2_UP	0x1c
#define R4_UP	0x10
#define NEVER	0x00
#define MAYBE	0x20	/* depends on luck or version: not judged */

/**
 * struct test_case - one case
 * @name:	what is shown
 * @run:	the case; reports by check() and skip()
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

/* One per cases_*.c, closed by an entry without a name. */
extern const struct test_case cases_root[];
extern const struct test_case cases_table[];
extern const struct test_case cases_figures[];
extern const struct test_case cases_accounting[];
extern const struct test_case cases_edges[];
extern const struct test_case cases_ways[];
extern const struct test_case cases_lives[];
extern const struct test_case cases_races[];
extern const struct test_case cases_faults[];
extern const struct test_case cases_flight[];
extern const struct test_case cases_engine[];
extern const struct test_case cases_kernel[];
extern const struct test_case cases_twins[];
extern const struct test_case cases_tricks[];
extern const struct test_case cases_told[];

/**
 * struct suite - what the command line said
 * @driver:	path of nvsim.ko
 * @options:	its module parameters
 * @engine_file: mpu.ko, or the program mpu
 * @engine_options: parameters of mpu.ko, hook of engine bpf
 * @regime:	0..4
 * @twin:	mpu.ko, for cases_twins; NULL: they are skipped
 * @loops:	how often cases_engine start and stop
 * @tell:	print what cases_told.c hears
 */
struct suite {
	const char *driver;
	const char *options;
	const char *engine_file;
	const char *engine_options;
	const char *twin;
	int regime;
	unsigned int loops;
	bool tell;
};

extern struct suite suite;

/*
 * check() fails the case, once, and leaves the function it stands in. A case
 * goes on after a helper has failed only if it asks for that.
 */
#define check(cond, ...) \
	do { \
		if (!(cond)) { \
			fail_case(__VA_ARGS__); \
			return; \
		} \
	} while (0)

/* For helpers: as check(), but returns @ret. */
#define check_or(ret, cond, ...) \
	do { \
		if (!(cond)) { \
			fail_case(__VA_ARGS__); \
			return ret; \
		} \
	} while (0)

void fail_case(const char *format, ...) __attribute__((__format__(printf, 1, 2)));
void skip_case(const char *format, ...) __attribute__((__format__(printf, 1, 2)));
bool case_failed(void);

/* Kernel modules; 0 or negative errno. */
int module_load(const char *path, const char *options);
int module_unload(const char *name);
const char *driver_name(void);

/* Is it NVIDIA's own? */
bool driver_is_real(void);

/* A file of at most 4095 bytes as text, "" if it cannot be read. */
const char *read_text(const char *path);

#endif /* MPU_TESTS_CONFORMANCE_CASES_H */
