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
	char *rest = strstr(line, " - "), *save = NULL;
	int field;

	if (!rest)
		return false;
	*rest = '\0';
	strtok_r(line, " ", &save);
	for (field = 1; field < 3; field++)
		strtok_r(NULL, " ", &save);
	mounted->root = strtok_r(NULL, " ", &save);
	mounted->at = strtok_r(NULL, " ", &save);
	mounted->type = strtok_r(rest + 3, " ", &save);
	strtok_r(NULL, " ", &save);
	mounted->options = strtok_r(NULL, " \n", &save);
	if (!mounted->at || !mounted->options)
		return false;
	unescape(mounted->root);
	unescape(mounted->at);
	return true;
}
