/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The choice of processes by what is typed on the screen of mpu top.
 */
#ifndef MPU_CLI_VIEW_TOP_SEARCH_H
#define MPU_CLI_VIEW_TOP_SEARCH_H

#include "host/gpu_usage.h"

#define SEARCH_TEXT	64

/**
 * search_matches() - is a process meant?
 * @text:	words between blanks, all of which must fit: "gpu=1 user=ann python";
 *		a word without a name is looked for in all names, as part of them,
 *		whatever its case; "" fits all
 */
bool search_matches(const struct usage *usage, const struct usage_process *process,
		    const char *text);

#endif /* MPU_CLI_VIEW_TOP_SEARCH_H */
