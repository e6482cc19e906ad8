// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sentence beside an error number.
 */
#include <stdarg.h>
#include <stdio.h>

#include "lib/why.h"

char *why_clean(char *text)
{
	char *at;

	for (at = text; *at; at++) {
		unsigned char c = (unsigned char)at[0], next = (unsigned char)at[1];

		/* U+0080 to U+009F are control characters, too: two bytes in UTF-8. */
		if (c < ' ' || c == 0x7f)
			*at = '?';
		else if (c == 0xc2 && next >= 0x80 && next < 0xa0)
			*at = at[1] = '?';
	}
	return text;
}

int why_fail(char why[WHY_SIZE], int result, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(why, WHY_SIZE, fmt, args);
	va_end(args);
	why_clean(why);
	return result;
}
