// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page of mpu metrics for people: GPUs, who uses them, who idles, the last week. Names are
 * other people's text; there is no script, and a browser is told to run none.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/view/internal.h"

#define WEEK	(7 * 24 * 3600)

static const char head[] = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
	"<meta http-equiv=\"refresh\" content=\"10\">"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
	"<meta name=\"color-scheme\" content=\"light dark\"><style>"
	"body{font:15px/1.4 system-ui,sans-serif;margin:1em auto;max-width:70em;padding:0 1em;overflow-wrap:anywhere}"
	"div{overflow-x:auto}table{border-collapse:collapse;white-space:nowrap}"
	"th,td{padding:.2em min(.8em,1.5vw);text-align:left;border-bottom:1px solid #8886}"
	"th{font-size:.8em;opacity:.7}.n{text-align:right;font-variant-numeric:tabular-nums}"
	"h1,h2{font-size:1.2em;margin:1.2em 0 .3em}</style><title>GPUs of ";

void page_add_text(FILE *page, const char *text)
{
	static const char special[] = "<>&\"'";

	for (; *text; text++)
		if (strchr(special, *text))
			fprintf(page, "&#%d;", *text);
		else
			putc(*text, page);
}

static void add_sums(const struct usage *usage, enum usage_by by, const struct table_view *view)
{
	size_t n;
	struct usage_sum *sums = usage_sum(usage, by, false, &n);

	usage_print_sums(usage, by, sums, n, view);
	free(sums);
}

/* @usage: NULL: the driver has not answered; @history: NULL: there is none */
int page_make(const struct usage *usage, const char *history, char **text, size_t *length)
{
	FILE *page = open_memstream(text, length);
	const struct table_view view = { .html = page, .last = 1 };
	const char *host = usage ? usage->host : "this node";
	const int64_t now = time(NULL);
	struct table table = { 0 };
	char why[WHY_SIZE];
	double recorded = 0;

	if (!page)
		return -ENOMEM;
	fputs(head, page);
	page_add_text(page, host);
	fputs("</title></head><body><h1>GPUs of ", page);
	page_add_text(page, host);
	fputs("</h1>\n", page);
	if (usage) {
		add_sums(usage, USAGE_BY_GPU, &view);
		fputs("<h2>Who uses them</h2>\n", page);
		add_sums(usage, USAGE_BY_CONTAINER, &view);
	} else {
		fputs("<p>The NVIDIA driver does not answer.</p>\n", page);
	}
	fputs("<h2>The last week, by user</h2>\n", page);
	if (history && !usage_sum_up(&table, "user", history, now - WEEK, now, NULL, &recorded, why))
		table_print(&table, &view);
	fprintf(page, "<p>%.1f of %d hours were recorded.</p>\n", recorded / 3600, WEEK / 3600);
	fputs("<p><a href=\"metrics\">metrics</a>, <a href=\"healthz\">health</a>; mpu " MPU_VERSION
	      "</p></body></html>\n", page);
	return fclose(page) ? -ENOMEM : 0;
}
