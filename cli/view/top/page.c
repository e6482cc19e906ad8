// SPDX-License-Identifier: GPL-2.0-only
/*
 * A page of labels and texts: see page.h.
 */
#include <stdio.h>
#include <string.h>

#include "cli/view/top/page.h"

#define LABEL_WIDTH	17

void page_put(struct page *page, const char *label, const char *text)
{
	int width = page->screen->columns - LABEL_WIDTH - 2, last = page->screen->rows - 1;
	size_t n = strlen(text), at, length;
	char part[1024];

	for (at = 0; at < n && page->row < last && width > 0; at += length) {
		snprintf(part, sizeof(part), "%.*s", width, text + at);
		length = strlen(part);
		/* At a blank, where there is one. */
		if (at + length < n && strrchr(part, ' '))
			length = (size_t)(strrchr(part, ' ') - part) + 1;
		part[length] = '\0';
		if (page->skip-- > 0)
			continue;
		screen_put(page->screen, page->row, 1, LABEL_WIDTH, STYLE_LABEL,
			   at ? "" : label);
		screen_put(page->screen, page->row++, LABEL_WIDTH + 1, width, STYLE_PLAIN,
			   part);
	}
}

void page_put_title(struct page *page, const char *text)
{
	int width = page->screen->columns;

	screen_paint(page->screen, page->row, 0, width, STYLE_TITLE);
	screen_put(page->screen, page->row++, 1, width - 2, STYLE_TITLE, text);
	page->row++;
}
