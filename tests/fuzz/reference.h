/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A second form of the rule in core/: an answer is taken apart into a list of elements,
 * the list is filtered, and a new buffer is written from it. Only the row's data is
 * shared with core/, none of its code.
 */
#ifndef MPU_TESTS_FUZZ_REFERENCE_H
#define MPU_TESTS_FUZZ_REFERENCE_H

#include "core/row.h"
#include "fixture.h"

struct ref_tally {
	u32 seen;
	u32 hidden;
};

struct ref_answer {
	u8 *params;
	u8 *array;
};

/* The processes of the fixture that have a PID in namespace @ns. */
struct ref_proc {
	u32 local;
	u32 global;
	u32 began;
};

void ref_put(u8 *at, u32 off, u64 v, unsigned int bytes);
void ref_ask(const struct mpu_row *row, const struct fixture *fixture, unsigned int ns,
	     const u8 *params, u8 *out, struct ref_tally *tally);
/* @params: as the caller sent them; @out: as the driver left them. */
bool ref_restore(const struct mpu_row *row, const struct fixture *fixture,
		 unsigned int ns, const u8 *params, u8 *out);
void ref_answer(const struct mpu_row *row, const struct fixture *fixture, unsigned int ns,
		const u8 *params, const u8 *array, u32 array_size, struct ref_answer *out,
		struct ref_tally *tally);
void ref_free(struct ref_answer *out);

#endif /* MPU_TESTS_FUZZ_REFERENCE_H */
