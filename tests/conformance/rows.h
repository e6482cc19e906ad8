/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of the table, and which of them this driver has.
 */
#ifndef MPU_TESTS_CONFORMANCE_ROWS_H
#define MPU_TESTS_CONFORMANCE_ROWS_H

#include "core/controls.h"
#include "tests/conformance/fixture.h"

/** row_report_covered() - report that a row of the table was seen answered */
void row_report_covered(u32 row);

/** row_find() - index of the row of a control; @size 0: the first */
u32 row_find(u32 cmd, u32 size);

/** row_is_shared() - has another row the same control and paramsSize? */
bool row_is_shared(u32 row);

/** row_answered() - does this driver have the layout? */
bool row_answered(struct actor *host, u32 row);

/** row_names_process() - does it, and is the host told of a process in it? */
bool row_names_process(struct actor *host, u32 row);

/**
 * row_is_unread() - is the caller's buffer, with nobody in it, granted without
 * a look at its size? Then the driver does not refuse what engine bpf must.
 */
bool row_is_unread(struct actor *host, u32 row);

#define for_each_row(i) for ((i) = 0; (i) < MPU_ROWS; (i)++)

#endif /* MPU_TESTS_CONFORMANCE_ROWS_H */
