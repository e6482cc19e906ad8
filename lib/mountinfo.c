// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of /proc/PID/mountinfo: see mountinfo.h.
 */
#include <stdio.h>
#include <string.h>

#include "lib/mountinfo.h"

/* Replaces the escapes of mountinfo, such as "\040" for a blank. */
static void unescape(char *text)
{
	char *to = text;
	unsigned int byte;
	int size;

	for (; *text; text++) {
		if (*text == '\\' && sscanf(text, "\\%3o%n", &byte, &size) == 1) {
			*to++ = (char)byte;
			text += size - 1;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
}

/* 36 35 0:31 /ROOT /AT rw,relatime shared:9 - TYPE SOURCE OPTIONS */
bool mountinfo_parse(char *line, struct mountinfo *mounted)
{
	char *rest = strstr(line, " - ");
	int field;

	if (!rest)
		return false;
	*rest = '\0';
	rest += 3;
	for (field = 0; field < 3; field++)
		strsep(&line, " ");
	mounted->root = strsep(&line, " ");
	mounted->at = strsep(&line, " ");
	mounted->type = strsep(&rest, " ");
	strsep(&rest, " ");	/* the source may be empty: mount("", ...) */
	mounted->options = strsep(&rest, " \n");
	if (!mounted->at || !mounted->options)
		return false;
	unescape(mounted->root);
	unescape(mounted->at);
	return true;
}
