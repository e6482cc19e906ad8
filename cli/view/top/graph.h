/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bars, histories and figures on a screen.
 */
#ifndef MPU_CLI_VIEW_TOP_GRAPH_H
#define MPU_CLI_VIEW_TOP_GRAPH_H

#include "cli/view/top/history.h"
#include "cli/view/top/screen.h"

#define GRAPH_TEXT	32	/* room for a figure */
#define GRAPH_FULL	9000	/* hundredths of a percent, from which a GPU is full */
#define GRAPH_ALL	10000	/* ... which all of it is */

/** graph_bar() - draw a bar; @part: 0 to 1 of its width */
void graph_bar(struct screen *screen, int row, int column, int width,
	       enum screen_style style, double part);

/**
 * graph_history() - draw a history, the newest sample at the right end
 * @height:	lines, from @row on
 * @scale:	the value that is as high as these, if none that is shown is greater;
 *		not 0
 */
void graph_history(struct screen *screen, int row, int column, int width, int height,
		   const struct history_table *table, uint64_t id,
		   enum history_value value, uint32_t scale);

/** graph_percent() - "63.2", of hundredths */
void graph_percent(char text[GRAPH_TEXT], uint64_t hundredths);

/** graph_bytes() - "512 MiB", "12.3 GiB" */
void graph_bytes(char text[GRAPH_TEXT], uint64_t bytes);

#endif /* MPU_CLI_VIEW_TOP_GRAPH_H */
