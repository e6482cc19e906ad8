/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A page of labels and texts, which the help is, and what is known of a process or a GPU.
 */
#ifndef MPU_CLI_VIEW_TOP_PAGE_H
#define MPU_CLI_VIEW_TOP_PAGE_H

#include "cli/view/top/screen.h"

#define PAGE_SKIP	200	/* no page has more lines above the screen */

/**
 * struct page - the screen as it is filled
 * @row:	the next one
 * @skip:	lines that are above the screen still
 */
struct page {
	struct screen *screen;
	int row;
	int skip;
};

/** page_put() - put a label and its text, on as many lines as that takes; of no text, nothing */
void page_put(struct page *page, const char *label, const char *text);

/** page_put_title() - put a bar with a title */
void page_put_title(struct page *page, const char *text);

#endif /* MPU_CLI_VIEW_TOP_PAGE_H */
